#include "model/recorded.h"

#include <math.h>
#include <string.h>

static const uint32_t frame_words =
	QUALITY_LATE | QUALITY_GAP | QUALITY_SWAP | QUALITY_STOLEN;

/* These are judged again from the counts, or say which verdict it was. */
static const uint32_t derived_words =
	QUALITY_IDLE | QUALITY_OFF | QUALITY_STALE | QUALITY_DENIED;

uint32_t
recorded_frame_quality(const struct recorded *r, unsigned ncpus)
{
	uint32_t all = r->swapped ? QUALITY_SWAP : 0;

	for (unsigned i = 0; i < ncpus; i++)
		if (r->cpu[i].ncpus > 0)
			all |= r->cpu[i].quality;
	return all & frame_words;
}

static enum row_verdict
verdict_of(const struct span *c, unsigned nslots)
{
	if (c->ncpus == 0)
		return ROW_STALE;
	if (span_had_fixed(c) || (c->have_any & ((1u << nslots) - 1)) != 0)
		return ROW_GOOD;
	if ((c->quality & QUALITY_OFF) != 0)
		return ROW_OFF;
	if ((c->quality & QUALITY_DENIED) != 0)
		return ROW_DENIED;
	if ((c->quality & QUALITY_IDLE) != 0)
		return ROW_SKIPPED;
	if ((c->quality & (QUALITY_STALE | QUALITY_LOST)) != 0)
		return ROW_STALE;
	return (c->quality & QUALITY_MUX) != 0 ? ROW_GOOD : ROW_NONE;
}

static void
take(struct span *d, unsigned source, uint64_t count, double ns)
{
	d->have_any |= 1u << source;
	d->count[source] = count;
	d->ns[source] = ns;
}

static void
take_good(const struct span *c, unsigned nslots, struct span *d,
	  uint32_t *cannot)
{
	bool fixed = span_had_fixed(c);
	/* Of one that does not say: the whole interval's, with its time. */
	bool pair = (c->have_any & 1u << TERM_SLOT_CYCLES) != 0;
	unsigned from = pair ? TERM_SLOT_CYCLES : TERM_CYCLES;
	uint32_t slots = c->have_any & ((1u << nslots) - 1);

	if (c->cpu_ns > 0)
		d->have_any |= 1u << TERM_WALL_NS | 1u << TERM_CPU_NS;
	if (!fixed && c->event_ns > 0) /* no PMU besides them */
		*cannot |= 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS |
			   1u << TERM_SLOT_CYCLES |
			   1u << TERM_SLOT_INSTRUCTIONS;
	for (unsigned i = 0; i < nslots; i++)
		if ((slots >> i & 1) != 0)
			take(d, i, c->slot[i], c->event_ns);
		/* Alone among slots that counted: it cannot be. */
		else if ((d->quality & QUALITY_LOST) == 0 && c->event_ns > 0)
			*cannot |= 1u << i;
	if (slots != 0) {
		d->event_ns = c->event_ns;
		d->have_any |= 1u << TERM_EVENT_NS;
	}
	for (unsigned i = 0; fixed && i < FIXED_COUNT; i++) {
		take(d, TERM_CYCLES + i, c->count[TERM_CYCLES + i], c->cpu_ns);
		if (slots != 0)
			take(d, TERM_SLOT_CYCLES + i, c->count[from + i],
			     pair ? c->event_ns : c->cpu_ns);
	}
}

static enum row_verdict
take_cpu(const struct span *c, int64_t frame_ns, unsigned nslots,
	 struct span *d)
{
	enum row_verdict verdict = verdict_of(c, nslots);
	uint32_t cannot = 0;

	span_clear(d);
	d->cpu_ns = c->ncpus > 0 ? c->cpu_ns : (double)frame_ns;
	if (c->ncpus > 0)
		d->quality = c->quality & ~(frame_words | derived_words);
	if (verdict == ROW_GOOD) {
		take_good(c, nslots, d, &cannot);
		d->dead = c->dead & ~d->have_any;
	}
	if (c->ncpus > 0 && c->seen_ns > 0)
		span_set_busy(d, c->seen_busy_ns);
	span_judge(d, verdict, verdict == ROW_GOOD, cannot);
	return verdict;
}

unsigned
recorded_take(const struct recorded *r, unsigned ncpus, unsigned nslots,
	      uint32_t own, struct span *out)
{
	unsigned stale = 0;

	for (unsigned i = 0; i < ncpus; i++)
		stale += take_cpu(&r->cpu[i], r->interval_ns, nslots,
				  &out[i]) == ROW_STALE;
	/* What needs no counter took no turns. */
	for (unsigned i = 0; i < ncpus; i++)
		for (unsigned k = 0; k < nslots; k++)
			if ((own & out[i].have_any & 1u << k) != 0 &&
			    (out[i].quality & QUALITY_MUX) != 0)
				out[i].ns[k] = out[i].cpu_ns;
	return stale;
}

/*
 * The fraction with the least denominator in [low, high], by walking down the
 * Stern-Brocot tree in strides (the terms of the continued fraction).
 */
static double
simplest(double low, double high)
{
	double p0 = 0, q0 = 1, p1 = 1, q1 = 0; /* 0/1 and 1/0 */

	for (int i = 0; i < 40; i++) {
		double whole = floor(low);

		if (whole < low && whole + 1 <= high)
			whole += 1;
		double p = whole * p1 + p0, q = whole * q1 + q0;

		if (whole >= low)
			return p / q;
		p0 = p1;
		q0 = q1;
		p1 = p;
		q1 = q;
		double next = 1 / (high - whole);

		high = 1 / (low - whole);
		low = next;
	}
	return NAN;
}

double
recorded_share(double busy_pct)
{
	if (!(busy_pct > 0) || !isfinite(busy_pct))
		return busy_pct <= 0 ? 0 : NAN;
	if (busy_pct >= 100)
		return 1;
	/* Half a unit of the ninth digit, either way. */
	double half = 0.5 * pow(10, floor(log10(busy_pct)) - 8);
	double share =
		simplest((busy_pct - half) / 100, (busy_pct + half) / 100);

	return share >= 0 && share <= 1 ? share : busy_pct / 100;
}
