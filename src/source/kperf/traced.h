/* Events of processes by tracing the kernel: taken on request, given back. */
#ifndef SOURCE_KPERF_TRACED_H
#define SOURCE_KPERF_TRACED_H

#include "kperf/trace.h"
#include "model/process.h"

#include <stdbool.h>
#include <stdint.h>

struct kperf_source;
struct kperf_traced;
struct process_wish;

/*
 * Takes or lets go as it is wished, and what is new. The first time takes
 * memory. What is refused stays so until it is not wished any more.
 */
void kperf_traced_read(struct kperf_source *s, const struct process_wish *w,
		       struct process_traced *out);

/* Before the counters go; also in a crash. False: not all could be put back. */
bool kperf_traced_stop(struct kperf_source *s);
void kperf_traced_free(struct kperf_source *s);

/* What tracing may cost, and what is done where it costs more. */
enum { TRACE_PERIOD_NS = 50000000 }; /* between samples, as a rule */

struct trace_budget {
	unsigned over, quiet; /* looks in a row */
};

/*
 * The period from now on: twice as long after five looks in a row of too many
 * records a second or too much of a core, half of that after thirty that were
 * well within. At most a second.
 */
uint64_t trace_budget_period(struct trace_budget *b, uint64_t period_ns,
			     double records_s, double core_share);

/*
 * A process that waits for the end of this one, for as long as tracing of the
 * kernel is taken: after SIGKILL nobody else is there to let go of it.
 */
struct kperf_guard {
	int fd; /* of a pipe that the guard reads; 0: there is no guard */
};

/*
 * Before anything is taken. left: threads count for somebody who has died.
 * Where no process can be had there is no guard, and the next ktop clears
 * away.
 */
void kperf_guard_begin(struct kperf_guard *g, const struct kperf_api *k,
		       const struct kperf_system *s, bool left);

/* All is given back: the guard leaves. Also in a crash. */
void kperf_guard_end(struct kperf_guard *g);

#endif
