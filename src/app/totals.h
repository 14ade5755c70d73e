/* What the machine did over a run, as tables and as values. */
#ifndef APP_TOTALS_H
#define APP_TOTALS_H

#include "monitor/account.h"

#include <stdio.h>

struct app;
struct longrun;

/* Of one run, both borrowed. */
struct totals {
	const struct account *account;
	const struct longrun *run; /* for metrics; NULL: none is whole */
};

/* Was anything counted but busy time? */
bool totals_any(const struct totals *t);

/* Modes of its cycles and instructions. */
enum domain totals_domain(const struct app *a);

/* All clusters together. */
struct account_row totals_sum(const struct app *a, const struct totals *t);

/* Clusters, the preset's metrics of each, and with `events` their counts. */
void totals_print(FILE *out, const struct app *a, const struct totals *t,
		  bool events);

/* Of several runs: all clusters together, a line a run, with its name. */
void totals_print_runs(FILE *out, const struct app *a, const struct totals *t,
		       const char *const *name, unsigned n, bool events);

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

#endif
