#include "sim/ring.h"

#include <stdlib.h>

#define NONE UINT32_MAX

struct unit {
	uint32_t next, count, taken;
	struct sim_record record[SIM_UNIT_RECORDS];
};

struct sim_ring {
	unsigned units, fresh, used; /* fresh: never used so far */
	uint32_t free;               /* a list of those given back */
	uint32_t head[SIM_MAX_CPUS], tail[SIM_MAX_CPUS];
	struct unit unit[];
};

struct sim_ring *
sim_ring_new(unsigned units)
{
	struct sim_ring *r =
		calloc(1, sizeof *r + (size_t)units * sizeof r->unit[0]);

	if (r == NULL)
		return NULL;
	r->units = units;
	r->free = NONE;
	for (unsigned c = 0; c < SIM_MAX_CPUS; c++)
		r->head[c] = r->tail[c] = NONE;
	return r;
}

void
sim_ring_free(struct sim_ring *ring)
{
	free(ring);
}

static const struct sim_record *
oldest_of(const struct sim_ring *r, unsigned cpu)
{
	const struct unit *u;

	if (r->head[cpu] == NONE)
		return NULL;
	u = &r->unit[r->head[cpu]];
	return &u->record[u->taken];
}

/* The CPU whose next record is the oldest; NONE: there is none at all. */
static unsigned
oldest_cpu(const struct sim_ring *r)
{
	const struct sim_record *best = NULL;
	unsigned at = NONE;

	for (unsigned c = 0; c < SIM_MAX_CPUS; c++) {
		const struct sim_record *it = oldest_of(r, c);

		if (it == NULL ||
		    (best != NULL && it->timestamp >= best->timestamp))
			continue;
		best = it;
		at = c;
	}
	return at;
}

static uint32_t
head_take(struct sim_ring *r, unsigned cpu)
{
	uint32_t at = r->head[cpu];

	r->head[cpu] = r->unit[at].next;
	if (r->head[cpu] == NONE)
		r->tail[cpu] = NONE;
	r->used--;
	return at;
}

static uint32_t
unit_take(struct sim_ring *r, bool *lost)
{
	uint32_t at = r->free;

	*lost = false;
	if (at != NONE) {
		r->free = r->unit[at].next;
		return at;
	}
	if (r->fresh < r->units)
		return r->fresh++;
	*lost = true;
	return head_take(r, oldest_cpu(r));
}

bool
sim_ring_full(const struct sim_ring *ring, unsigned cpu)
{
	uint32_t tail = ring->tail[cpu];

	return (tail == NONE || ring->unit[tail].count == SIM_UNIT_RECORDS) &&
	       ring->free == NONE && ring->fresh == ring->units;
}

bool
sim_ring_put(struct sim_ring *ring, const struct sim_record *record)
{
	unsigned cpu = record->cpu;
	uint32_t tail = ring->tail[cpu];
	bool lost = false;

	if (tail == NONE || ring->unit[tail].count == SIM_UNIT_RECORDS) {
		uint32_t at = unit_take(ring, &lost);
		struct unit *u = &ring->unit[at];

		u->next = NONE;
		u->count = u->taken = 0;
		/* What had to go may have been this CPU's last one. */
		if (ring->tail[cpu] == NONE)
			ring->head[cpu] = at;
		else
			ring->unit[ring->tail[cpu]].next = at;
		ring->tail[cpu] = tail = at;
		ring->used++;
	}
	struct unit *u = &ring->unit[tail];
	u->record[u->count++] = *record;
	return !lost;
}

static void
next_record(struct sim_ring *r, unsigned cpu)
{
	struct unit *u = &r->unit[r->head[cpu]];

	if (++u->taken < u->count)
		return;
	uint32_t at = head_take(r, cpu);
	r->unit[at].next = r->free;
	r->free = at;
}

size_t
sim_ring_read(struct sim_ring *ring, uint64_t oldest, uint64_t newest,
	      struct sim_record *out, size_t max)
{
	size_t n = 0;

	while (n < max) {
		unsigned cpu = oldest_cpu(ring);
		if (cpu == NONE)
			break;
		const struct sim_record *it = oldest_of(ring, cpu);
		if (it->timestamp > newest)
			break;
		if (it->timestamp >= oldest)
			out[n++] = *it;
		next_record(ring, cpu);
	}
	return n;
}

unsigned
sim_ring_used(const struct sim_ring *ring)
{
	return ring->used;
}
