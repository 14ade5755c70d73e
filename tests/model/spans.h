/* Spans of frames that a test makes up. */
#ifndef TESTS_MODEL_SPANS_H
#define TESTS_MODEL_SPANS_H

#include "model/span.h"

/* NAN: unknown. */
static inline void
span_put_busy(struct span *s, double pct)
{
	bool known = !isnan(pct);

	s->seen_ns = known ? 1e9 : 0;
	s->seen_busy_ns = known ? pct * 1e7 : 0;
	s->busy_cpu_ns = known ? s->cpu_ns : 0;
	s->busy_ns = known ? s->cpu_ns * pct / 100 : 0;
}

static inline void
span_put_interval(struct span *s, double interval_s)
{
	s->wall_ns = interval_s * 1e9;
	s->cpu_ns = s->wall_ns * s->n;
	span_put_busy(s, span_busy_pct(s));
}

static inline void
span_put_event(struct span *s, double event_s)
{
	s->event_ns = event_s * 1e9 * s->n;
	s->nslots = EVENTSET_MAX;
}

static inline void
span_put_slot(struct span *s, unsigned slot, bool known, uint64_t count)
{
	s->have_all = (s->have_all & ~(1u << slot)) | (uint32_t)known << slot;
	s->slot[slot] = count;
}

/* n_ok 0: without the fixed pair. No slot is known yet. */
static inline struct span
span_make(unsigned n_ok, double interval_s, double busy_pct)
{
	struct span s = { .n = n_ok > 0 ? n_ok : 1, .n_ok = n_ok };

	span_put_interval(&s, interval_s);
	span_put_busy(&s, busy_pct);
	return s;
}

#endif
