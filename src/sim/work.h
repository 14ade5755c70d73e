/* Work of the simulated cores as integer functions of time (docs/SIMULATION.md;
 * a test recalculates it). */
#ifndef SIM_WORK_H
#define SIM_WORK_H

#include "base/err.h"
#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

/* KERNEL is in kernel mode, the others in user mode. */
enum work_activity {
	WORK_COMPUTE,
	WORK_MEMORY,
	WORK_BRANCHY,
	WORK_VECTOR,
	WORK_FETCH,
	WORK_GUESS,
	WORK_KERNEL,
	WORK_ACTIVITIES
};

#define WORK_GRAINS 1024
#define WORK_GRAIN_NS 250000000LL
#define WORK_SHARE 4096 /* shares of a whole grain */

struct work_mix {
	uint16_t share[WORK_ACTIVITIES]; /* of WORK_SHARE; the rest is idle */
	uint16_t mhz;
};

struct work_cpu {
	unsigned kind;
	unsigned grains;
	struct work_mix mix[WORK_GRAINS];
	uint8_t program;
	uint8_t job[WORK_GRAINS];
	/* Sums before each grain; [grains]: sum of a whole period. */
	uint64_t cycles[WORK_GRAINS + 1][WORK_ACTIVITIES];
	uint64_t user[WORK_GRAINS + 1], kernel[WORK_GRAINS + 1];
};

struct work {
	unsigned ncpus;
	struct work_cpu *cpu;
};

struct work_done {
	uint64_t cycles[WORK_ACTIVITIES];
	uint64_t user_ns, kernel_ns, idle_ns;
};

/* program: enum sim_program of each CPU; NULL: drawn jobs on all CPUs. False
 * and *e: out of memory. Release with work_free. */
bool work_init(struct work *w, const struct sim_machine *m, uint64_t seed,
	       const uint8_t *program, struct err *e);
void work_free(struct work *w);

/* The work of the first ns nanoseconds of a CPU's own time */
void work_until(const struct work *w, unsigned cpu, int64_t ns,
		struct work_done *out);

/* A random number: splitmix64's mixing function, applied to each argument. */
uint64_t work_draw(uint64_t seed, uint64_t a, uint64_t b, uint64_t c);

/* WORK_GUESS with all branches predicted; used by loops only. */
#define WORK_STEADY WORK_ACTIVITIES

/* Events per cycle, times 2^20, by activity. An event's count is the sum of
 * floor(cycles * q20 / 2^20). */
struct work_rate {
	uint32_t q20[WORK_ACTIVITIES + 1];
};

bool work_rate_known(const char *event);

/* Properties that differ between chips, drawn from the seed. */
struct work_physics {
	unsigned uops;    /* micro-operations per 1000 instructions */
	unsigned miss;    /* cycles per misprediction */
	unsigned bubbles; /* front-end cycles that are bubbles, in percent */
};
/* wide: draws from a wider range than that of known chips. */
void work_physics_draw(struct work_physics *p, uint64_t seed, unsigned kind,
		       bool slow, bool wide);

/* Finds an event's rate. False: no rule; *out is 1 per 1000 instructions.
 * recovery: MAP_STALL includes recovery cycles (M4 and later). */
bool work_rate_of(const struct sim_kind *kind, const struct work_physics *by,
		  const char *event, bool recovery, struct work_rate *out);

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
