/*
 * How samples of several CPUs lie in a ring: a reader that wants the records of
 * one in a row loses those that mix.
 */
#ifndef SOURCE_KPERF_TRACE_SHAPE_H
#define SOURCE_KPERF_TRACE_SHAPE_H

#include "kperf/trace.h"

#include <stddef.h>
#include <stdint.h>

struct trace_shape {
	uint64_t samples;
	uint64_t mixed; /* with another CPU's record in between */
	uint64_t near;  /* begun soon after one of another CPU, */
	uint64_t ticks; /* so much in all, */
	uint64_t most;  /* and at most */
	/* The last that began. */
	uint64_t at;
	uint32_t cpu;
};

/* A reading's records; near_ticks: what is soon. Fills *s up. */
void trace_shape_add(struct trace_shape *s, uint64_t near_ticks,
		     const struct kperf_record *r, size_t n);

#endif
