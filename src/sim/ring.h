/*
 * kdebug's ring: each CPU fills units of its own, taken from one store; a full
 * store gives up the oldest unit of any CPU. A read merges them by time.
 */
#ifndef SIM_RING_H
#define SIM_RING_H

#include "sim/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_UNIT_RECORDS 2048u

/* kd_buf of every 64-bit kernel. */
struct sim_record {
	uint64_t timestamp;
	uint64_t arg[4];
	uint64_t thread; /* arg5: who emits */
	uint32_t debugid, cpu;
	uint64_t unused;
};

struct sim_ring;

/* NULL: no memory. */
struct sim_ring *sim_ring_new(unsigned units);
void sim_ring_free(struct sim_ring *ring);

/* Would an old unit have to go for a record of this CPU? */
bool sim_ring_full(const struct sim_ring *ring, unsigned cpu);
/* False: an old unit had to go. */
bool sim_ring_put(struct sim_ring *ring, const struct sim_record *record);

/*
 * The oldest first, of equals the lowest CPU's; at most max, none of after
 * `newest`, and none that is older than `oldest`: those are dropped. How many
 * there were.
 */
size_t sim_ring_read(struct sim_ring *ring, uint64_t oldest, uint64_t newest,
		     struct sim_record *out, size_t max);

/* Units that hold something. */
unsigned sim_ring_used(const struct sim_ring *ring);

#endif
