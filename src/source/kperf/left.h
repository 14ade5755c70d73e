/* What is set on a Mac: by whoever counts, or left by who was killed. */
#ifndef SOURCE_KPERF_LEFT_H
#define SOURCE_KPERF_LEFT_H

#include "base/err.h"
#include "kperf/host.h"
#include "kperf/words.h"

#include <stdbool.h>
#include <stdint.h>

struct kperf_left {
	int force;
	uint32_t counting, threads;
	bool traced; /* the kernel is traced for a process that has died */
	struct kperf_words words;
};

/* Changes nothing. False, with *e, where it cannot be told. */
bool kperf_left_look(const struct kperf_api *k,
		     const struct kperf_system *system, struct kperf_left *l,
		     struct err *e);

#endif
