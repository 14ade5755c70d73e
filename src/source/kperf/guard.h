/*
 * A process that waits for the end of this one, for as long as tracing of the
 * kernel is taken: after SIGKILL nobody else is there to let go of it.
 */
#ifndef SOURCE_KPERF_GUARD_H
#define SOURCE_KPERF_GUARD_H

#include "kperf/trace.h"

#include <stdbool.h>

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
