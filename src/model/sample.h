/* A reading of a machine: raw totals only. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include "base/clock.h"
#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum { FIXED_CYCLES, FIXED_INSTRUCTIONS, FIXED_COUNT };

/* Sent as is by the counter server: no padding (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* A total. enabled_ns and running_ns are totals too: equal differences mean
 * full coverage. 0: not multiplexed, the sample's times apply. */
struct reading {
	uint64_t count;
	uint64_t enabled_ns, running_ns;
	bool supported; /* false: this CPU cannot count it */
	bool held;      /* its counters are in use */
	uint8_t unused[6];
};

enum cpu_state {                /* state of a CPU, as the source reports it */
		 CPU_DELIVERED, /* totals, perhaps unchanged */
		 CPU_MISSING,   /* no row, for an unknown reason */
		 CPU_OFF,       /* off line */
		 CPU_SKIPPED,   /* not read, as the OS reports it idle for the
				   whole interval */
		 CPU_DENIED     /* the kernel refuses to count this CPU now */
};

struct cpu_sample {
	enum cpu_state state;
	bool busy_known;
	bool busy_fine; /* finer than OS ticks */
	uint8_t unused[2];
	uint64_t busy, total; /* OS ticks since boot, any unit */
	struct reading fixed[FIXED_COUNT];
	struct reading slot[EVENTSET_MAX];
};

enum {
	SAMPLE_BASELINE = 1 << 0, /* first reading of a new set */
	SAMPLE_TAKEN_OVER =
		1 << 1 /* counters changed by others: the slots are invalid */
};

struct recorded; /* model/track.h */

struct sample {
	struct stamp stamp; /* of the reading */
	int64_t cost_ns;    /* source's clock */
	int64_t apart_ns;   /* longest time between reading counters and busy
			       times */
	uint32_t flags;
	enum domain domain; /* modes of the slots, as read back */
	unsigned ncpus;
	/* A stop and start resets all slots on all CPUs at once. */
	bool together;
	uint8_t unused[3];
	/* The rest is not sent. `set` is borrowed until the next one. */
	const struct eventset *set;
	struct cpu_sample *cpu; /* [ncpus], topology order */
	/* Of a recording: differences instead of `cpu`, borrowed until the next
	 * reading; elapsed_ns is from its start. NULL: totals. */
	const struct recorded *recorded;
};
#pragma GCC diagnostic pop

struct sample *sample_new(unsigned ncpus, struct err *e);
void sample_free(struct sample *s);
/* False and *e: the numbers of CPUs differ. */
bool sample_fits(const struct sample *s, unsigned ncpus, struct err *e);

#endif
