/* A reading of a machine: raw totals only. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include "base/clock.h"
#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum { FIXED_CYCLES, FIXED_INSTRUCTIONS, FIXED_COUNT };

/* No padding: the counter server sends these bytes (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/* Totals of a counter. It counted all the time if enabled_ns and running_ns
 * grow by the same amount, or if both are 0: then the sample's times apply. */
struct reading {
	uint64_t count;
	uint64_t enabled_ns, running_ns;
	bool supported; /* false: this CPU cannot count it */
	bool held;      /* its counters are in use */
	uint8_t unused[6];
};

enum cpu_state {                /* state of a CPU, as the source reports it */
		 CPU_DELIVERED, /* read; totals may be unchanged */
		 CPU_MISSING,   /* no row, for an unknown reason */
		 CPU_OFF,       /* off line */
		 CPU_SKIPPED,   /* not read, as the OS reports no activity */
		 CPU_DENIED     /* the kernel refuses to count this CPU now */
};

struct cpu_sample {
	enum cpu_state state;
	bool busy_known;
	bool busy_fine; /* busy is finer than OS ticks */
	uint8_t unused[2];
	uint64_t busy, total; /* OS ticks since boot, any unit */
	struct reading fixed[FIXED_COUNT];
	struct reading slot[EVENTSET_MAX];
};

enum {
	SAMPLE_BASELINE = 1 << 0, /* first reading of a new set */
	SAMPLE_TAKEN_OVER =
		1 << 1 /* another program has reprogrammed the counters */
};

struct recorded; /* model/track.h */

struct sample {
	struct stamp stamp; /* time of the reading */
	int64_t cost_ns;    /* duration, by the source's clock */
	int64_t apart_ns;   /* longest time between reading counters and busy
			       times */
	uint32_t flags;
	enum domain domain; /* modes of the events, as read back */
	unsigned ncpus;
	/* A stop and start of the counters resets them on all CPUs at once. */
	bool together;
	uint8_t unused[3];
	/* The counter server sends none of these. `set` is borrowed. */
	const struct eventset *set;
	struct cpu_sample *cpu; /* [ncpus], topology order */
	/* In a replay: differences instead of `cpu`, borrowed until the next
	 * reading; stamp.elapsed_ns is from the recording's start. NULL:
	 * totals. */
	const struct recorded *recorded;
};
#pragma GCC diagnostic pop

struct sample *sample_new(unsigned ncpus, struct err *e);
void sample_free(struct sample *s);
/* False and *e: the number of CPUs differs. */
bool sample_fits(const struct sample *s, unsigned ncpus, struct err *e);

#endif
