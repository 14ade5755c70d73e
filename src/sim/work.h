/*
 * The work that simulated cores do, as integer functions of time. All of it is
 * written down in docs/SIMULATION.md; a test recomputes it from there.
 */
#ifndef SIM_WORK_H
#define SIM_WORK_H

#include "base/err.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* What a core can be doing; everything but KERNEL is user mode. */
enum work_activity {
	WORK_COMPUTE,
	WORK_MEMORY,
	WORK_BRANCHY,
	WORK_VECTOR,
	WORK_FETCH, /* the front end delivers too little */
	WORK_GUESS, /* mispredicts: most of what it maps is discarded */
	WORK_KERNEL,
	WORK_ACTIVITIES
};

#define WORK_GRAINS 1024
#define WORK_GRAIN_NS 250000000LL
#define WORK_SHARE 4096 /* a grain's time is cut into so many shares */

/* A quarter of a second of one core. */
struct work_mix {
	uint16_t share[WORK_ACTIVITIES]; /* the rest is idle */
	uint16_t mhz;
};

struct work_cpu {
	unsigned kind;
	unsigned grains; /* then it begins again; at most WORK_GRAINS */
	struct work_mix mix[WORK_GRAINS];
	uint8_t program; /* enum sim_program; DRAWN: jobs come and go */
	uint8_t job[WORK_GRAINS]; /* of its kind, that is with it then */
	/* Sums over the grains before; [grains]: of a whole period. */
	uint64_t cycles[WORK_GRAINS + 1][WORK_ACTIVITIES];
	uint64_t user[WORK_GRAINS + 1], kernel[WORK_GRAINS + 1]; /* shares */
};

struct work {
	unsigned ncpus;
	struct work_cpu *cpu;
};

/* Everything a core has done up to a moment. */
struct work_done {
	uint64_t cycles[WORK_ACTIVITIES];
	uint64_t user_ns, kernel_ns, idle_ns;
};

/*
 * Owns memory until work_free; false: out of memory. program: an enum
 * sim_program for each CPU; NULL: all are drawn.
 */
bool work_init(struct work *w, const struct sim_machine *m, uint64_t seed,
	       const uint8_t *program, struct err *e);
void work_free(struct work *w);

/* What the core did in its first ns nanoseconds (time off not counted). */
void work_until(const struct work *w, unsigned cpu, int64_t ns,
		struct work_done *out);

/* Drawn numbers: splitmix64's finisher over the four, folded in order. */
uint64_t work_draw(uint64_t seed, uint64_t a, uint64_t b, uint64_t c);

/* As WORK_GUESS with every branch predicted: a loop, and of no core's time. */
#define WORK_STEADY WORK_ACTIVITIES

/*
 * Events per cycle, times 2^20, while an activity runs. A count is the sum
 * over activities of floor(cycles * rate / 2^20).
 */
struct work_rate {
	uint32_t q20[WORK_ACTIVITIES + 1];
};

/* Has it a row of its own, or only the rule for all? */
bool work_rate_known(const char *event);

/* What differs between chips, of one kind of core: drawn from the seed. */
struct work_physics {
	unsigned uops;    /* of a thousand instructions */
	unsigned miss;    /* cycles that a misprediction costs */
	unsigned bubbles; /* of the front end's cycles, in hundredths */
};
/* wide: also what no chip is known to have. */
void work_physics_draw(struct work_physics *p, uint64_t seed, unsigned kind,
		       bool slow, bool wide);

/*
 * The rule of an event on a kind of core. false: the event has no row of its
 * own, and *out is the rule for such: one per thousand instructions. recovery:
 * the chip counts recovery as part of MAP_STALL (M4 and later).
 */
bool work_rate_of(const struct sim_kind *kind, const struct work_physics *by,
		  const char *event, bool recovery, struct work_rate *out);

/* floor(cycles * q20 / 2^20) without overflow. */
static inline uint64_t
work_scale(uint64_t cycles, uint32_t q20)
{
	return (cycles >> 20) * q20 + (((cycles & 0xfffff) * q20) >> 20);
}

static inline uint64_t
work_user(const struct work_done *d, const struct work_rate *r)
{
	uint64_t sum = 0;

	for (unsigned a = 0; a < WORK_KERNEL; a++)
		sum += work_scale(d->cycles[a], r->q20[a]);
	return sum;
}

static inline uint64_t
work_kernel(const struct work_done *d, const struct work_rate *r)
{
	return work_scale(d->cycles[WORK_KERNEL], r->q20[WORK_KERNEL]);
}

#endif
