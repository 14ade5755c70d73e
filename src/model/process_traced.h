/*
 * The events of the set in force, of each process that ran: by a trace of the
 * kernel (macOS), or by counters of its own threads (Linux). Only while a
 * person wants it.
 */
#ifndef MODEL_PROCESS_TRACED_H
#define MODEL_PROCESS_TRACED_H

#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	PROCESS_TRACED_MAX = 512, /* rows; more are dropped, said */
	PROCESS_TRACED_THREADS = 256,
	PROCESS_TRACED_WHY = 160
};

enum process_tracing {
	PROCESS_TRACING_NONE, /* there is none on this source */
	PROCESS_TRACING_OFF,  /* it could be */
	PROCESS_TRACING_ON,
	PROCESS_TRACING_REFUSED /* it was wanted: `why` */
};

/* The counter server sends these as they are: no gaps (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* Counts of one interval. */
struct process_counts {
	int32_t pid, unused;
	uint64_t thread; /* of a process 0 */
	uint64_t cycles, instructions;
	uint64_t slot[EVENTSET_MAX];
};

struct process_traced {
	uint64_t files;   /* that counters of their own take, or would take */
	uint64_t cycles;  /* of all rows */
	uint64_t gaps;    /* times that records were lost, since it began */
	uint64_t dropped; /* differences that no CPU can have counted */
	uint64_t period_ns;
	int64_t cost_ns;   /* of reading it, this time */
	int32_t owner;     /* pid of who traces the kernel now; 0: nobody */
	uint32_t slots;    /* 1 << slot that is counted */
	unsigned left_out; /* rows for want of room */
	unsigned n, nthreads;
	uint8_t state; /* enum process_tracing */
	bool own;      /* by counters of their own: nothing is traced */
	bool recorded; /* of a recording, which has rows and slots alone */
	uint8_t unused;
	char why[PROCESS_TRACED_WHY];                  /* a sentence; "" */
	struct process_counts row[PROCESS_TRACED_MAX]; /* [n] by pid */
	/* Of the process that is open, by thread. */
	struct process_counts thread[PROCESS_TRACED_THREADS];
};
#pragma GCC diagnostic pop

void process_traced_clear(struct process_traced *t);

/* Counts of both, in to. */
void process_counts_add(struct process_counts *to,
			const struct process_counts *c);

/* Puts rows in order, once all are there. */
void process_traced_sort(struct process_traced *t);

/* Of a process, or of one of its threads; NULL: it has none. */
const struct process_counts *process_traced_find(const struct process_traced *t,
						 int32_t pid, uint64_t thread);

#endif
