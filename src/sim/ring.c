#include "sim/inside.h"

#include <stdlib.h>
#include <string.h>

#define NONE UINT32_MAX

struct unit {
	uint32_t next, count, taken;
	struct sim_record record[SIM_UNIT_RECORDS];
};

struct sim_ring {
	unsigned units, fresh; /* fresh: first unit never used */
	unsigned used;
	uint32_t free;
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
oldest_record(const struct sim_ring *r, unsigned cpu)
{
	if (r->head[cpu] == NONE)
		return NULL;
	const struct unit *u = &r->unit[r->head[cpu]];
	return &u->record[u->taken];
}

static unsigned
oldest_cpu(const struct sim_ring *r)
{
	const struct sim_record *best = NULL;
	unsigned at = NONE;

	for (unsigned c = 0; c < SIM_MAX_CPUS; c++) {
		const struct sim_record *it = oldest_record(r, c);

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

static bool
sim_ring_full(const struct sim_ring *ring, unsigned cpu)
{
	uint32_t tail = ring->tail[cpu];

	return (tail == NONE || ring->unit[tail].count == SIM_UNIT_RECORDS) &&
	       ring->free == NONE && ring->fresh == ring->units;
}

static bool
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
		/* The dropped unit may be this CPU's last unit. */
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
		const struct sim_record *it = oldest_record(ring, cpu);
		if (it->timestamp > newest)
			break;
		if (it->timestamp >= oldest)
			out[n++] = *it;
		next_record(ring, cpu);
	}
	return n;
}

#define CLASS_TRACE 7u

bool
sim_kd_ring(const struct sim_kernel *k)
{
	return k->tracing.ring != NULL &&
	       k->tracing.ring_setup == k->s->kd.setup && k->s->kd.units != 0;
}

bool
sim_kd_live(const struct sim_kernel *k)
{
	return k->s->kd.enabled && k->s->kd.logs && sim_kd_ring(k);
}

bool
sim_kd_half(const struct sim_kernel *k)
{
	return sim_kd_ring(k) && k->tracing.ring->used >= k->s->kd.units / 2;
}

void
sim_kd_reset(struct sim_kernel *k)
{
	uint32_t setup = k->s->kd.setup;

	memset(&k->s->kd, 0, sizeof k->s->kd);
	k->s->kd.setup = setup;
	sim_ring_free(k->tracing.ring);
	k->tracing.ring = NULL;
}

uint64_t
sim_kd_ticks(const struct sim_kernel *k, int64_t awake_ns)
{
	uint64_t ns = (uint64_t)awake_ns;

	if (k->s->kd.flags & SIM_KD_CONTINUOUS)
		ns += (uint64_t)sim_kernel_slept(k, awake_ns);
	return sim_ticks(k, ns);
}

static bool
passes_filter(const struct sim_kernel *k, uint32_t debugid)
{
	const struct sim_kd *kd = &k->s->kd;
	uint32_t event = debugid & ~3u;

	if (kd->flags & SIM_KD_TYPEFILTER)
		return kd->types[debugid >> 16 >> 3] >> (debugid >> 16 & 7) & 1;
	if (kd->flags & SIM_KD_RANGECHECK)
		return debugid >= kd->value[0] && debugid < kd->value[1];
	if ((kd->flags & SIM_KD_VALCHECK) == 0)
		return true;
	if (k->s->os < SIM_OS(13, 0) && debugid >> 24 == CLASS_TRACE)
		return true;
	return event == kd->value[0] || event == kd->value[1] ||
	       event == kd->value[2] || event == kd->value[3];
}

bool
sim_kd_traced(const struct sim_kernel *k, uint32_t debugid)
{
	return k->s->kd.enabled && passes_filter(k, debugid);
}

void
sim_kd_emit(struct sim_kernel *k, int64_t at_ns,
	    const struct sim_record *record)
{
	struct sim_record r = *record;

	if (!sim_kd_live(k) || !passes_filter(k, r.debugid))
		return;
	if (k->s->kd.flags & SIM_KD_NOWRAP &&
	    sim_ring_full(k->tracing.ring, r.cpu)) {
		k->s->kd.logs = false;
		return;
	}
	r.timestamp += sim_kd_ticks(k, at_ns);
	/* The records of a CPU stay in order of time. */
	if (r.timestamp < k->tracing.last_tick[r.cpu])
		r.timestamp = k->tracing.last_tick[r.cpu];
	k->tracing.last_tick[r.cpu] = r.timestamp;
	if (!sim_ring_put(k->tracing.ring, &r))
		k->s->kd.flags |= SIM_KD_WRAPPED;
}
