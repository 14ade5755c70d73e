/* A reading of a machine: raw totals. */
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
/* Totals of a counter. The counter counted all the time if enabled_ns and
 * running_ns grow by the same amount, or if both are 0. */
struct reading {
	uint64_t count;
	uint64_t enabled_ns, running_ns;
	bool supported; /* false: this CPU cannot count it */
	bool held;      /* its counters are in use by others */
	uint8_t unused[6];
};

enum cpu_state {
	CPU_DELIVERED, /* read; totals may be unchanged */
	CPU_MISSING,   /* no row was read, for an unknown reason */
	CPU_OFF,
	CPU_SKIPPED, /* not read, as the system reports no activity */
	CPU_DENIED
};

struct cpu_sample {
	enum cpu_state state;
	bool busy_known;
	bool busy_fine; /* busy and total are finer than ticks of the system */
	uint8_t unused[2];
	uint64_t busy, total; /* busy time and whole time, in the same unit */
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
	struct stamp stamp;
	int64_t cost_ns;
	int64_t apart_ns; /* longest time between reading counters and busy
			     times */
	uint32_t flags;
	enum domain domain; /* modes in which the events are counted */
	unsigned ncpus;
	/* A restart of the counters resets the counts of all CPUs. */
	bool together;
	uint8_t unused[3];
	/* The counter server does not send the fields from here on. `set` is
	 * borrowed. */
	const struct eventset *set;
	struct cpu_sample *cpu; /* [ncpus], topology order */
	/* In a replay: differences, used instead of `cpu`, valid until the next
	 * reading; stamp.elapsed_ns then counts from the recording's start.
	 * NULL: `cpu` has totals. */
	const struct recorded *recorded;
};
#pragma GCC diagnostic pop

struct sample *sample_new(unsigned ncpus, struct err *e);
void sample_free(struct sample *s);
/* False and *e: the number of CPUs differs. */
bool sample_fits(const struct sample *s, unsigned ncpus, struct err *e);

#endif
