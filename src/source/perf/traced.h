/* Events of processes, in the groups of their threads: taken on request. */
#ifndef SOURCE_PERF_TRACED_H
#define SOURCE_PERF_TRACED_H

#include "model/process_traced.h"

#include <stdbool.h>
#include <stdint.h>

struct perf_source;
struct process_wish;
struct task_part;

/* Zeroed, nothing is taken. */
struct perf_traced {
	bool on, refused;
	bool crowded;  /* what the last reading covers lacked counters */
	bool in_vain;  /* the pair found none though the cores gave all */
	bool other;    /* what was read last is of another set, in part */
	unsigned keep; /* slots of a kind that are counted, at most */
	char why[PROCESS_TRACED_WHY];
};

/*
 * What the last reading of the counters says, and then as it is wished: who is
 * counted is chosen by another plan then. Between tracker_read and
 * tracker_choose.
 */
void perf_traced_read(struct perf_source *s, const struct process_wish *w,
		      struct process_traced *out);

/* After the threads of the process that is open were read: those, and files. */
void perf_traced_finish(struct perf_source *s, struct process_traced *out);

/* Cycles and instructions alone, of the part's kind. */
void perf_traced_plan_pair(const struct perf_source *s, struct task_part *to);

/* Closes what counts them. */
void perf_traced_stop(struct perf_source *s);

#endif
