#include "power/power.h"

#include <math.h>

/* Measured on macOS 27: values change every 2.1 s (on one Mac every 30 min),
 * sometimes again 9 to 29 ms later. The next span includes such a second
 * change. */
static const int64_t tail_ns = 50000000, stale_least_ns = 10000000000,
		     future_ns = 1000000000;

static void
track_set_base(struct power_track *t, const struct power_reading *r,
	       int64_t at_ns)
{
	t->begun = true;
	t->total = r->total;
	t->weight = r->weight;
	t->at_ns = at_ns;
}

/* A span becomes stale when its end is older than twice the span's length, but
 * not before 10 s. */
static bool
track_wait(struct power_track *t, int64_t now_ns)
{
	int64_t twice = 2 * (t->span.end_ns - t->span.begin_ns);

	if (t->span.end_ns != 0 &&
	    now_ns - t->span.end_ns >
		    (twice > stale_least_ns ? twice : stale_least_ns))
		t->span.stale = true;
	return false;
}

bool
power_track_take(struct power_track *t, const struct power_reading *r,
		 int64_t now_ns)
{
	int64_t at = r->at_ns;

	if (!r->have || isnan(r->total))
		return track_wait(t, now_ns);
	/* If the published time is missing or impossible, use ktop's own clock
	 * from now on. */
	if (at == 0 || at > now_ns + future_ns ||
	    (t->begun && !t->own_clock && at <= t->at_ns &&
	     r->total > t->total)) {
		if (!t->own_clock)
			t->begun = false;
		t->own_clock = true;
	}
	if (t->own_clock)
		at = now_ns;
	if (!t->begun || r->total < t->total) {
		track_set_base(t, r, at);
		return false;
	}
	/* With ktop's clock, an unchanged total counts as not published. */
	if (at <= t->at_ns || (t->own_clock && !(r->total > t->total)))
		return track_wait(t, now_ns);
	if (at - t->at_ns < tail_ns)
		return track_wait(t, now_ns);
	t->span = (struct power_span){
		.begin_ns = t->at_ns,
		.end_ns = at,
		.amount = r->total - t->total,
		.weight = r->weight - t->weight,
		.marks = (uint8_t)(r->marks |
				   (t->own_clock ? POWER_OWN_CLOCK : 0))
	};
	track_set_base(t, r, at);
	return true;
}

unsigned
power_poll(struct power_source *s, struct power_track *track, int64_t now_ns,
	   struct power_update out[POWER_RAILS])
{
	struct power_reading reading[POWER_RAILS] = { { .have = 0 } };
	struct err e;
	unsigned n = 0;

	bool read = s->ops->read(s, now_ns, reading, &e);

	for (unsigned i = 0; i < s->nrails; i++) {
		bool was = track[i].span.stale;

		if (!read)
			reading[i].have = false;
		if (power_track_take(&track[i], &reading[i], now_ns) ||
		    track[i].span.stale != was)
			out[n++] = (struct power_update){ (uint16_t)i,
							  track[i].span };
	}
	return n;
}
