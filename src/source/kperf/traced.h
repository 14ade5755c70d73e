/* Events of processes by tracing the kernel: taken on request, given back. */
#ifndef SOURCE_KPERF_TRACED_H
#define SOURCE_KPERF_TRACED_H

#include "model/process_traced.h"
#include "source/kperf/trace_shape.h"

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

enum { KPERF_TRIAL_ROWS = 3 };

/* How it went, for the doctor; the counters are held. */
struct kperf_traced_trial {
	char why[PROCESS_TRACED_WHY]; /* it could not be started; "" */
	bool put_back;
	int64_t start_ns, read_ns, stop_ns;
	int32_t ring; /* records that it has room for */
	uint64_t records, samples, unbuffered, torn, dropped, gaps, period_ns;
	unsigned threads, processes;
	struct process_counts all; /* of all processes */
	uint32_t slots;            /* of the set, that are counted */
	unsigned n;                /* those with the most cycles first */
	struct process_counts row[KPERF_TRIAL_ROWS];
	struct trace_shape shape;
};

enum { KPERF_NEAR_NS = 100 * 1000 };

/* Traces for so long and stops. */
void kperf_traced_try(struct kperf_source *s, int64_t ns,
		      struct kperf_traced_trial *out);

#endif
