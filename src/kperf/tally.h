/* Converts trace records to counts: joins a sample's records by CPU, takes
 * differences per thread and sums them per process. Allocates only at the
 * start; counts are never scaled. */
#ifndef KPERF_TALLY_H
#define KPERF_TALLY_H

#include "kperf/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KPERF_TALLY_MOST = 16384 };

struct kperf_tally_options {
	unsigned counters;
	unsigned most;  /* threads and processes to remember; 0: the maximum */
	int32_t pid;    /* traced process; -1: all */
	int cycles;     /* index of the cycle counter; -1: none */
	double most_hz; /* highest possible clock rate, Hz */
	double tick_hz;
	uint64_t period_ns;
};

/* A process or thread with samples since kperf_tally_begin. */
struct kperf_tallied {
	uint64_t thread;
	int32_t pid;
	uint64_t unique; /* process unique id; 0: unknown */
	uint64_t samples;
	unsigned threads;
	bool ended;
	uint64_t seen;         /* of a thread: time of its last sample, ticks */
	const uint64_t *delta; /* [counters] */
};

struct kperf_tally_quality {
	uint64_t records, samples;
	uint64_t torn;
	uint64_t rejected; /* samples with a count that fell, or too many cycles
			    */
	uint64_t first;
	uint64_t unbuffered;
	uint64_t forgotten; /* times that a table was full */
};

struct kperf_tally;

struct kperf_tally *kperf_tally_new(const struct kperf_tally_options *o);
void kperf_tally_free(struct kperf_tally *t);

void kperf_tally_begin(struct kperf_tally *t);
void kperf_tally_add(struct kperf_tally *t, const struct kperf_record *r,
		     size_t n);
/* Adds existing threads and processes. Call before the first record. */
void kperf_tally_map(struct kperf_tally *t, const struct kperf_mapped *m,
		     size_t n);
void kperf_tally_learn(struct kperf_tally *t, const struct kperf_trace *trace);
/* Starts a reading and adds new records; if there are too many, some remain for
 * the next reading. *gaps grows if records were lost. skip: ignore the records,
 * which are of earlier events. Returns OK; or EVICTED or FAILED with *why. */
enum kperf_trace_state kperf_tally_read(struct kperf_tally *t,
					struct kperf_trace *trace, bool skip,
					uint64_t *gaps,
					struct kperf_fault *why);
void kperf_tally_period(struct kperf_tally *t, uint64_t period_ns);
/* Call after a change of events: a thread's next sample has no difference. */
void kperf_tally_restart(struct kperf_tally *t);

bool kperf_tally_process(const struct kperf_tally *t, unsigned i,
			 struct kperf_tallied *out);
bool kperf_tally_thread(const struct kperf_tally *t, unsigned i,
			struct kperf_tallied *out);
/* Returns the sum over all processes since the start, [counters]. */
const uint64_t *kperf_tally_sum(const struct kperf_tally *t);
const struct kperf_tally_quality *
kperf_tally_quality(const struct kperf_tally *t);

#endif
