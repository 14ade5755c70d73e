/* Measures the machine while commands run (ktop stat). */
#ifndef APP_MACHINE_COUNTER_H
#define APP_MACHINE_COUNTER_H

#include "model/process.h"
#include "monitor/account.h"
#include "options/options.h"

#include <stdio.h>

struct app;
struct history;
struct machine_counter;
struct source;

/* Totals of a run; pointers are borrowed. */
struct totals {
	const struct account *account;
	const struct history *run; /* for metrics; NULL: they are unknown */
};

bool totals_has_counts(const struct totals *t);

/* Returns the modes in which cycles and instructions are counted. */
enum domain totals_domain(const struct app *a);

struct account_row totals_sum(const struct app *a, const struct totals *t);

/* Prints clusters, metrics and events; with `name`, a row for each of
 * t[runs]. */
void totals_print(FILE *out, const struct app *a, const struct totals *t,
		  const char *const *name, unsigned runs, bool events);

struct totals_value {
	const char *name, *unit;
	const char *cluster; /* "": the sum of all clusters */
	enum domain domain;  /* DOMAIN_NONE: the value is not a count */
	double value;        /* NAN: not counted */
};

/* Calls `value` for each total of each cluster, then of their sum. */
void totals_each(const struct app *a, const struct totals *t,
		 void (*value)(void *self, const struct totals_value *v),
		 void *self);

/* ---- events of a process, from kernel tracing ---- */

struct traced {
	int32_t pid; /* 0: no process is traced */
	struct process_reading reading;
	struct process_counts sum;
	uint32_t slots; /* bits of the event slots counted in all intervals */
	unsigned intervals;
	enum process_tracing state;
	uint64_t gaps, dropped;
	char why[PROCESS_TRACED_WHY];
};

/* Call after each reading of the cores. The first call starts tracing. */
void traced_read(struct traced *t, struct source *s);
void traced_free(struct traced *t);

/* Borrows what o points to. NULL and *e on failure. */
struct machine_counter *machine_counter_open(const struct options *o,
					     unsigned commands, struct err *e);
/* False and *e: the counters could not be restored. m may be NULL. */
bool machine_counter_close(struct machine_counter *m, struct err *e);

/* The first two functions return the ns until the next look. */
int64_t machine_counter_begin(struct machine_counter *m, unsigned command);
int64_t machine_counter_look(struct machine_counter *m);
void machine_counter_end(struct machine_counter *m);

void machine_counter_pause(struct machine_counter *m);
void machine_counter_resume(struct machine_counter *m);

/* Totals of the last run; NAN: unknown. The reasons are valid as long as m. */
struct machine_counter_power {
	double joules, bytes;
	bool measured;
	bool packages; /* joules are those of packages, as CPUs have none */
	const char *no_joules, *no_bytes;
};
struct machine_counter_power
machine_counter_power(const struct machine_counter *m, double run_s);

void machine_counter_trace(struct machine_counter *m, int32_t pid);

/* NULL: machine_counter_trace was not called. */
const struct traced *machine_counter_traced(const struct machine_counter *m);

const struct app *machine_counter_app(const struct machine_counter *m);
struct totals machine_counter_totals(const struct machine_counter *m,
				     unsigned command);

void machine_counter_name(const struct machine_counter *m, char *to,
			  size_t size);
/* Returns the counted events and sets *domain; NULL: fixed counters only. */
const struct eventset *machine_counter_set(const struct machine_counter *m,
					   enum domain *domain);
enum domain machine_counter_domain(const struct machine_counter *m);

const char *machine_counter_message(struct machine_counter *m);

#endif
