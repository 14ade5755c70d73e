/*
 * Trace records to counts: joins a sample's records by CPU, takes differences
 * per thread and sums them per process. Allocates at the start only; scales
 * nothing.
 */
#ifndef KPERF_TALLY_H
#define KPERF_TALLY_H

#include "kperf/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KPERF_TALLY_MOST = 16384 }; /* threads remembered */

struct kperf_tally_options {
	unsigned counters; /* per sample */
	unsigned most;  /* threads and processes to remember; 0: the maximum */
	int32_t pid;    /* -1: all */
	int cycles;     /* index of the cycle counter; -1: none */
	double most_hz; /* maximum clock rate */
	double tick_hz;
	uint64_t period_ns; /* of the samples */
};

/* Had samples since kperf_tally_begin. */
struct kperf_tallied {
	uint64_t thread; /* a process: 0 */
	int32_t pid;
	uint64_t unique; /* process unique id; 0: unknown */
	uint64_t samples;
	unsigned threads; /* a process: its known threads */
	bool ended;
	uint64_t seen;         /* a thread: ticks of its last sample */
	const uint64_t *delta; /* [counters] */
};

/* Since the start. */
struct kperf_tally_quality {
	uint64_t records, samples;
	uint64_t torn;     /* incomplete samples */
	uint64_t rejected; /* counts that fell, or grew faster than the clock */
	uint64_t first;    /* first samples, which have no difference */
	uint64_t unbuffered; /* threads not counted yet */
	uint64_t forgotten;  /* threads evicted for lack of room */
};

struct kperf_tally;

struct kperf_tally *kperf_tally_new(const struct kperf_tally_options *o);
void kperf_tally_free(struct kperf_tally *t);

/* Before each reading: clears all differences. */
void kperf_tally_begin(struct kperf_tally *t);
void kperf_tally_add(struct kperf_tally *t, const struct kperf_record *r,
		     size_t n);
/* Existing threads and processes, before the first record. */
void kperf_tally_map(struct kperf_tally *t, const struct kperf_mapped *m,
		     size_t n);
/* The same from the kernel's thread map. */
void kperf_tally_learn(struct kperf_tally *t, const struct kperf_trace *trace);
/* Starts a reading, and adds new records in a few calls; the remainder is read
 * next time. *gaps grows when records were lost; skip: ignore records of an
 * earlier event set. OK; or EVICTED, FAILED and *why. */
enum kperf_trace_state kperf_tally_read(struct kperf_tally *t,
					struct kperf_trace *trace, bool skip,
					uint64_t *gaps,
					struct kperf_fault *why);
/* A new sampling period. */
void kperf_tally_period(struct kperf_tally *t, uint64_t period_ns);
/* The events changed: forgets all totals. */
void kperf_tally_restart(struct kperf_tally *t);

/* The i-th with samples; false past the end. */
bool kperf_tally_process(const struct kperf_tally *t, unsigned i,
			 struct kperf_tallied *out);
bool kperf_tally_thread(const struct kperf_tally *t, unsigned i,
			struct kperf_tallied *out);
/* Sum over processes since the start, [counters]. */
const uint64_t *kperf_tally_sum(const struct kperf_tally *t);
const struct kperf_tally_quality *
kperf_tally_quality(const struct kperf_tally *t);

#endif
