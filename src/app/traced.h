/* Events of one process over a run, by tracing the kernel: ktop stat -p -e. */
#ifndef APP_TRACED_H
#define APP_TRACED_H

#include "model/process.h"

struct source;

struct traced {
	int32_t pid; /* 0: of none */
	struct process_reading reading;
	/* Of all intervals that were asked for. */
	struct process_counts sum;
	uint32_t slots;     /* 1 << slot: counted in all of them */
	unsigned intervals; /* in which it was traced */
	enum process_tracing state;
	uint64_t gaps, dropped;
	char why[PROCESS_TRACED_WHY];
};

/* Right after a reading of the cores; the first begins it. */
void traced_take(struct traced *t, struct source *s);
void traced_free(struct traced *t);

#endif
