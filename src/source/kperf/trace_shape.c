#include "source/kperf/trace_shape.h"

#include <stdbool.h>

enum { START = 1, END = 2 };

static bool
is_part(const struct kperf_record *r, uint32_t which)
{
	return r->debugid == (KPERF_REC_KPC_THREAD | which);
}

/* From its first record to its last; more than four counters have one. */
static bool
is_mixed(const struct kperf_record *r, size_t n)
{
	bool other = false;

	for (size_t i = 1; i < n; i++) {
		if (r[i].cpu != r[0].cpu)
			other = true;
		else if (is_part(&r[i], END))
			return other;
		else if (!is_part(&r[i], 0))
			return false;
	}
	return false;
}

static void
begins(struct trace_shape *s, uint64_t near_ticks, const struct kperf_record *r)
{
	uint64_t after = r->timestamp - s->at;

	if (s->samples++ > 0 && r->cpu != s->cpu && r->timestamp >= s->at &&
	    after <= near_ticks) {
		s->near++;
		s->ticks += after;
		s->most = after > s->most ? after : s->most;
	}
	s->at = r->timestamp;
	s->cpu = r->cpu;
}

void
trace_shape_add(struct trace_shape *s, uint64_t near_ticks,
		const struct kperf_record *r, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_part(&r[i], START))
			continue;
		begins(s, near_ticks, &r[i]);
		s->mixed += is_mixed(&r[i], n - i);
	}
}
