/* Tracepoints on their way into the ring: kernel_debug_internal. */
#include "sim/kdebug.h"

#include <string.h>

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

/* That many units are in use that KDBUFWAIT returns. */
bool
sim_kd_half(const struct sim_kernel *k)
{
	return sim_kd_ring(k) &&
	       sim_ring_used(k->tracing.ring) >= k->s->kd.units / 2;
}

/* All filters and flags go, and how many events were asked for. */
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
passes(const struct sim_kernel *k, uint32_t debugid)
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
	return k->s->kd.enabled && passes(k, debugid);
}

void
sim_kd_emit(struct sim_kernel *k, int64_t at_ns,
	    const struct sim_record *record)
{
	struct sim_record r = *record;

	if (!sim_kd_live(k) || !passes(k, r.debugid))
		return;
	if (k->s->kd.flags & SIM_KD_NOWRAP &&
	    sim_ring_full(k->tracing.ring, r.cpu)) {
		k->s->kd.logs = false;
		return;
	}
	r.timestamp += sim_kd_ticks(k, at_ns);
	/* A CPU's own are in order. */
	if (r.timestamp < k->tracing.last_tick[r.cpu])
		r.timestamp = k->tracing.last_tick[r.cpu];
	k->tracing.last_tick[r.cpu] = r.timestamp;
	if (!sim_ring_put(k->tracing.ring, &r))
		k->s->kd.flags |= SIM_KD_WRAPPED;
}
