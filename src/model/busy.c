#include "model/busy.h"

#include <math.h>

/* A part of the interval; a machine that is not overloaded stays far below. */
static const double apart_share = 0.25;

/* An OS may step idle time back by a tick; that is 0, not a jump. */
static uint64_t
ticks(uint64_t now, uint64_t before)
{
	return now - before > UINT64_C(1) << 63 ? 0 : now - before;
}

static double
share(const struct cpu_sample *c, uint64_t busy, uint64_t total)
{
	uint64_t all = ticks(c->total, total), b = ticks(c->busy, busy);

	if (all == 0)
		return NAN;
	return b >= all ? 1 : (double)b / (double)all;
}

/* Ticks can stand still in a short frame: then their baseline stays. */
static void
keep(struct track_ticks *t, const struct track_ticks *old,
     const struct cpu_sample *c, int64_t apart_ns, enum row_verdict verdict,
     bool moved)
{
	if (verdict == ROW_GOOD && c->busy_known && old->known && !moved) {
		t->busy = old->busy;
		t->total = old->total;
		t->apart_ns = old->apart_ns;
	} else if (verdict == ROW_NONE && moved) {
		t->busy = c->busy;
		t->total = c->total;
		t->apart_ns = apart_ns;
	}
	if (moved || !old->known) {
		t->busy_last = c->busy;
		t->total_last = c->total;
		t->apart_last_ns = apart_ns;
	}
	t->known = c->busy_known;
}

void
busy_take(struct track_ticks *t, const struct track_ticks *old,
	  const struct cpu_sample *c, int64_t apart_ns, struct delta *d)
{
	double busy = NAN;
	int64_t apart = apart_ns;

	d->busy_ns = d->busy_share = NAN;
	if (c->busy_known && old->known) {
		if (d->verdict == ROW_GOOD || d->verdict == ROW_NONE) {
			busy = share(c, old->busy, old->total);
			apart += old->apart_ns;
		} else if (d->verdict != ROW_OFF) {
			busy = share(c, old->busy_last, old->total_last);
			apart += old->apart_last_ns;
		}
	}
	keep(t, old, c, apart_ns, d->verdict, !isnan(busy));
	if (isnan(busy) || (double)apart > apart_share * d->interval_ns)
		return;
	d->busy_share = busy;
	d->busy_ns = busy * d->interval_ns;
	d->have |= 1u << TERM_BUSY_NS;
}
