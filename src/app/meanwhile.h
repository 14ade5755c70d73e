/* Measures the machine while commands run (ktop stat). */
#ifndef APP_MEANWHILE_H
#define APP_MEANWHILE_H

#include "model/process.h"
#include "monitor/account.h"
#include "options/options.h"

#include <stdio.h>

struct app;
struct history;
struct meanwhile;
struct source;

/* ---- totals of a run ---- */

/* Borrowed. */
struct totals {
	const struct account *account;
	const struct history *run; /* for metrics; NULL: incomplete */
};

/* Is there more than busy time? */
bool totals_has_counts(const struct totals *t);

/* Modes of cycles and instructions. */
enum domain totals_domain(const struct app *a);

/* The sum over all clusters. */
struct account_row totals_sum(const struct app *a, const struct totals *t);

/* Prints clusters, metrics and events; name: one line per run instead. */
void totals_print(FILE *out, const struct app *a, const struct totals *t,
		  const char *const *name, unsigned runs, bool events);

struct totals_value {
	const char *name, *unit;
	const char *cluster; /* "": the sum */
	enum domain domain;  /* DOMAIN_NONE: no count */
	double value;        /* NAN: not counted */
};

/* Calls for each cluster, then the sum. */
void totals_each(const struct app *a, const struct totals *t,
		 void (*value)(void *self, const struct totals_value *v),
		 void *self);

/* ---- events of a process, by kernel tracing ---- */

struct traced {
	int32_t pid; /* 0: none */
	struct process_reading reading;
	/* Sum over all requested intervals. */
	struct process_counts sum;
	uint32_t slots;     /* bits of slots counted in all intervals */
	unsigned intervals; /* intervals with tracing */
	enum process_tracing state;
	uint64_t gaps, dropped;
	char why[PROCESS_TRACED_WHY];
};

/* Call after each reading of the cores; the first call starts tracing. */
void traced_read(struct traced *t, struct source *s);
void traced_free(struct traced *t);

/* Borrows o. NULL and *e on failure. */
struct meanwhile *meanwhile_open(const struct options *o, unsigned commands,
				 struct err *e);
/* m may be NULL. False and *e: the counters are not restored. */
bool meanwhile_close(struct meanwhile *m, struct err *e);

/* Start and end of a run; return ns until the next meanwhile_look. */
int64_t meanwhile_begin(struct meanwhile *m, unsigned command);
int64_t meanwhile_look(struct meanwhile *m);
void meanwhile_end(struct meanwhile *m);

/* Call when ktop stops: releases everything until it continues. */
void meanwhile_pause(struct meanwhile *m);
void meanwhile_resume(struct meanwhile *m);

/* Of the last run. NAN: not covered; the reason is constant or lives as m. */
struct meanwhile_power {
	double joules, bytes;
	bool measured; /* the machine measures energy */
	bool packages; /* joules of packages instead of CPUs */
	const char *no_joules, *no_bytes;
};
struct meanwhile_power meanwhile_power(const struct meanwhile *m, double run_s);

/* Also traces this process's events. */
void meanwhile_trace(struct meanwhile *m, int32_t pid);

/* ---- results ---- */

/* Events of the traced process; NULL: not requested. */
const struct traced *meanwhile_traced(const struct meanwhile *m);

const struct app *meanwhile_app(const struct meanwhile *m);
struct totals meanwhile_totals(const struct meanwhile *m, unsigned command);

/* "preset basic, events in user mode only" */
void meanwhile_name(const struct meanwhile *m, char *to, size_t size);
/* Counted events and modes; NULL: only fixed counters. */
const struct eventset *meanwhile_set(const struct meanwhile *m,
				     enum domain *domain);
/* Modes of cycles and instructions. */
enum domain meanwhile_domain(const struct meanwhile *m);

/* The next message; NULL: none. */
const char *meanwhile_message(struct meanwhile *m);

#endif
