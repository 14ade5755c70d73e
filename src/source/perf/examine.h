/* What the files of the perf source's examination share (source/examine.h). */
#ifndef SOURCE_PERF_EXAMINE_H
#define SOURCE_PERF_EXAMINE_H

#include "source/examine.h"
#include "source/perf/state.h"

/* Sections: files examine_machine.c, examine_rights.c, examine_pmus.c. */
void perf_examine_versions(struct examine *x);
void perf_examine_topology(struct examine *x);
void perf_examine_clocks(struct examine *x);
void perf_examine_rights(struct examine *x);
void perf_examine_pmus(struct examine *x);

/* Opens one event on a CPU, disabled, and closes it; 0 or the errno. */
int perf_try_open(const struct perf_source *s, const struct perf_code *code,
		  int cpu);

/* The first CPU on line of that kind, or -1. */
int perf_cpu_of(const struct perf_source *s, unsigned kind);

/* NULL where it could not be opened. */
static inline struct perf_source *
perf_examined(const struct examine *x)
{
	return x->s != NULL ? perf_of(x->s) : NULL;
}

#endif
