/* What crosses the seam to a machine on a tick: raw totals, nothing derived. */
#ifndef MODEL_SAMPLE_H
#define MODEL_SAMPLE_H

#include "base/clock.h"
#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum { FIXED_CYCLES, FIXED_INSTRUCTIONS, FIXED_COUNT };

/* The counter server sends these as they are: no gaps (server/wire.h). */
#pragma GCC diagnostic push
#pragma GCC diagnostic warning "-Wpadded"
/*
 * A running total. enabled_ns and running_ns are totals too, of the time it
 * was asked to count and did; equal differences mean full coverage. Sources
 * that do not multiplex leave both 0 and the sample's times stand in.
 */
struct reading {
	uint64_t count;
	uint64_t enabled_ns, running_ns;
	bool supported; /* false: this CPU cannot count it (or not at all) */
	bool held;      /* ... since others hold its counters */
	uint8_t unused[6];
};

enum cpu_state { /* what the source itself knows about a CPU's row */
		 CPU_DELIVERED, /* totals came; whether they moved is for the
				   monitor */
		 CPU_MISSING,   /* no row came, and the source cannot say why */
		 CPU_OFF,       /* the system says the CPU is off line */
		 CPU_SKIPPED,   /* not asked: idle all the interval, by the OS
				 */
		 CPU_DENIED     /* it may not be counted any more */
};

struct cpu_sample {
	enum cpu_state state;
	bool busy_known;
	bool busy_fine; /* by a clock finer than the OS's ticks */
	uint8_t unused[2];
	uint64_t busy, total; /* the OS's ticks since boot, any unit */
	struct reading fixed[FIXED_COUNT];
	struct reading slot[EVENTSET_MAX];
};

enum {                           /* sample flags */
       SAMPLE_BASELINE = 1 << 0, /* first reading of a newly programmed set */
       SAMPLE_STOLEN = 1 << 1    /* words or counting are not as we set them:
				    the slots are not to be trusted */
};

struct recorded; /* model/track.h */

struct sample {
	struct stamp stamp; /* when the counters were read */
	int64_t cost_ns;  /* how long the reading took, by the source's clock */
	int64_t apart_ns; /* between the counters and the busy times, at most */
	uint32_t flags;
	enum domain domain; /* what the slots count, as read back */
	unsigned ncpus;
	/* Stopped and started again, the totals of all slots begin at 0, on
	   every CPU in the same moment. */
	bool together;
	uint8_t unused[3];
	/* From here on of this process. In force; borrowed until the next
	   program. */
	const struct eventset *set;
	struct cpu_sample *cpu; /* [ncpus], in the topology's order */
	/*
	 * From a recording: the differences instead of totals, borrowed until
	 * the next reading; elapsed_ns then counts from the recording's start.
	 * NULL: `cpu` has totals.
	 */
	const struct recorded *recorded;
};
#pragma GCC diagnostic pop

struct sample *sample_new(unsigned ncpus, struct err *e);
void sample_free(struct sample *s);
/* Is it of a machine of so many CPUs? False and *e else. */
bool sample_fits(const struct sample *s, unsigned ncpus, struct err *e);

#endif
