/*
 * Records of a trace become counts: records of one sample are joined by CPU,
 * samples of one thread are differences, and those are added up by process.
 * All memory is taken at the start; nothing is scaled up.
 */
#ifndef KPERF_TALLY_H
#define KPERF_TALLY_H

#include "kperf/trace.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KPERF_TALLY_MOST = 16384 }; /* threads that are remembered */

struct kperf_tally_options {
	unsigned counters; /* of a sample */
	unsigned most;  /* threads, and processes, to remember; 0: the most */
	int32_t pid;    /* -1: of all processes */
	int cycles;     /* which counter has cycles; -1: none */
	double most_hz; /* no CPU is faster */
	double tick_hz;
	uint64_t period_ns; /* of the samples */
};

/* One that had samples since kperf_tally_begin. */
struct kperf_tallied {
	uint64_t thread; /* of a process 0 */
	int32_t pid;
	uint64_t unique;  /* a process's own number; 0: not known */
	uint64_t samples; /* that made the difference */
	unsigned threads; /* of a process: that it is known to have */
	bool ended;
	uint64_t seen;         /* a thread: ticks of its last sample */
	const uint64_t *delta; /* [counters] */
};

/* Since the start. */
struct kperf_tally_quality {
	uint64_t records, samples;
	uint64_t torn;       /* samples that lacked a record */
	uint64_t rejected;   /* counts that fell, or grew faster than a CPU */
	uint64_t first;      /* samples before which nothing is known */
	uint64_t unbuffered; /* threads that are not counted yet */
	uint64_t forgotten;  /* threads for lack of room */
};

struct kperf_tally;

struct kperf_tally *kperf_tally_new(const struct kperf_tally_options *o);
void kperf_tally_free(struct kperf_tally *t);

/* Before the records of a reading: all differences are zero again. */
void kperf_tally_begin(struct kperf_tally *t);
void kperf_tally_add(struct kperf_tally *t, const struct kperf_record *r,
		     size_t n);
/* Who is there before the first record: who makes threads is known then. */
void kperf_tally_map(struct kperf_tally *t, const struct kperf_mapped *m,
		     size_t n);
/* The same of all threads of this moment. */
void kperf_tally_learn(struct kperf_tally *t, const struct kperf_trace *trace);
/*
 * Begins, and adds what is new, in a few calls: what is left comes next time.
 * *gaps grows where records were lost; skip: they are of events that are not
 * counted any more. OK, or why there is nothing: EVICTED, FAILED and *why.
 */
enum kperf_trace_state kperf_tally_read(struct kperf_tally *t,
					struct kperf_trace *trace, bool skip,
					uint64_t *gaps,
					struct kperf_fault *why);
/* How far apart samples are from now on. */
void kperf_tally_period(struct kperf_tally *t, uint64_t period_ns);
/* What is counted has changed: all known totals mean nothing any more. */
void kperf_tally_restart(struct kperf_tally *t);

/* The i-th of those that had samples; false past the end. */
bool kperf_tally_process(const struct kperf_tally *t, unsigned i,
			 struct kperf_tallied *out);
bool kperf_tally_thread(const struct kperf_tally *t, unsigned i,
			struct kperf_tallied *out);
/* All that went to processes since the start, [counters]. */
const uint64_t *kperf_tally_sum(const struct kperf_tally *t);
const struct kperf_tally_quality *
kperf_tally_quality(const struct kperf_tally *t);

#endif
