/* What the machine does while commands run, one after the other: ktop stat. */
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

/* ---- what the machine did over a run, as tables and as values ---- */

/* Of one run, both borrowed. */
struct totals {
	const struct account *account;
	const struct history *run; /* for metrics; NULL: none is whole */
};

/* Was anything counted but busy time? */
bool totals_any(const struct totals *t);

/* Modes of its cycles and instructions. */
enum domain totals_domain(const struct app *a);

/* All clusters together. */
struct account_row totals_sum(const struct app *a, const struct totals *t);

/* Clusters, their metrics, events; with names, a line for each of the runs. */
void totals_print(FILE *out, const struct app *a, const struct totals *t,
		  const char *const *name, unsigned runs, bool events);

struct totals_value {
	const char *name, *unit;
	const char *cluster; /* "": all of them */
	enum domain domain;  /* DOMAIN_NONE: not counted but kept */
	double value;        /* NAN: not counted */
};

/* Each of them: of every cluster, then of all. */
void totals_each(const struct app *a, const struct totals *t,
		 void (*value)(void *self, const struct totals_value *v),
		 void *self);

/* ---- events of one process over a run, by tracing the kernel ---- */

struct traced {
	int32_t pid; /* 0: of none */
	struct process_reading reading;
	/* Of all intervals that were asked for. */
	struct process_counts sum;
	uint32_t slots;     /* 1 << slot: counted in all of them */
	unsigned intervals; /* in which it was traced */
	enum process_tracing state;
	uint64_t gaps, dropped;
	char why[PROCESS_TRACED_WHY];
};

/* Right after a reading of the cores; the first begins it. */
void traced_take(struct traced *t, struct source *s);
void traced_free(struct traced *t);

/* ---- while commands run ---- */

/* The options are borrowed. NULL and *e: nothing has been said. */
struct meanwhile *meanwhile_open(const struct options *o, unsigned commands,
				 struct err *e);
/* NULL is fine. False and *e: the counters are not back yet. */
bool meanwhile_close(struct meanwhile *m, struct err *e);

/* A run of the command begins and ends; ns until the next look between. */
int64_t meanwhile_begin(struct meanwhile *m, unsigned command);
int64_t meanwhile_look(struct meanwhile *m);
void meanwhile_end(struct meanwhile *m);

/* ktop stops, and goes on: nothing is held in between. */
void meanwhile_pause(struct meanwhile *m);
void meanwhile_resume(struct meanwhile *m);

/*
 * Energy and bytes of memory traffic in the run that has just ended. NAN: no
 * spans of the machine's cover it, and why (a constant, or as long as m is).
 */
struct meanwhile_power {
	double joules, bytes;
	bool measured; /* the machine has rails of its own */
	bool packages; /* joules are of the packages, not of the CPUs alone */
	const char *no_joules, *no_bytes;
};
struct meanwhile_power meanwhile_power(const struct meanwhile *m, double run_s);

/* Of this process the events are wanted, too: by tracing the kernel. */
void meanwhile_trace(struct meanwhile *m, int32_t pid);

/* ---- what came of it ---- */

/* The events are those of the set; NULL: none was wanted. */
const struct traced *meanwhile_traced(const struct meanwhile *m);

/* For totals.h. */
const struct app *meanwhile_app(const struct meanwhile *m);
struct totals meanwhile_totals(const struct meanwhile *m, unsigned command);

/* "preset basic, events in user mode only" */
void meanwhile_name(const struct meanwhile *m, char *to, size_t size);
/* What is counted, and in which modes; NULL: nothing but the pair. */
const struct eventset *meanwhile_set(const struct meanwhile *m,
				     enum domain *domain);
/* Modes of cycles and instructions. */
enum domain meanwhile_domain(const struct meanwhile *m);

/* What was to be said since the call before; NULL: no more. */
const char *meanwhile_news(struct meanwhile *m);

#endif
