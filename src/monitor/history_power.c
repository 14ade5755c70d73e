#include "monitor/inner.h"

#include <math.h>
#include <string.h>

static struct power_row *
history_power_rows(const struct history *h, uint64_t frame)
{
	return &h->power_row[frame % h->frames *
			     (h->of.topology->nclusters + 1)];
}

static const struct frame_power *
history_power_of(const struct history *h, uint64_t frame)
{
	const struct frame_power *p = &h->power[frame % h->frames];

	return p->nrows > 0 ? p : NULL;
}

static uint64_t
history_oldest(const struct history *h)
{
	return h->pushed > h->frames ? h->pushed - h->frames : 0;
}

void
history_push_power(struct history *h, const struct frame_power *p)
{
	struct frame_power *to = &h->power[h->pushed % h->frames];

	to->nrows = 0;
	if (p == NULL || p->nrows != h->of.topology->nclusters + 1)
		return;
	*to = *p;
	to->row = memcpy(history_power_rows(h, h->pushed), p->row,
			 p->nrows * sizeof *p->row);
}

unsigned
history_power(const struct history *h, unsigned rail, enum power_value what,
	      unsigned n, float *out)
{
	uint64_t have = h->pushed - history_oldest(h);

	n = have < n ? (unsigned)have : n;
	for (unsigned i = 0; i < n; i++) {
		uint64_t frame = h->pushed - n + i;
		const struct frame_power *p = history_power_of(h, frame);
		bool gap =
			(history_entry(h, frame)->quality & QUALITY_GAP) != 0;

		out[i] = p == NULL || gap
				 ? NAN
				 : (float)frame_power_value(p, what, rail);
	}
	return n;
}

struct history_energy
history_energy(const struct history *h, unsigned back, unsigned rail,
	       double span_s)
{
	struct history_energy sum = { 0, 0, 0 };

	if (back >= h->pushed - history_oldest(h))
		return sum;
	uint64_t last = h->pushed - 1 - back;
	double end_s = history_entry(h, last)->elapsed_s;

	for (uint64_t i = last + 1;
	     i-- > history_oldest(h) &&
	     history_entry(h, i)->elapsed_s > end_s - span_s;) {
		const struct frame_power *p = history_power_of(h, i);
		const struct power_energy *e =
			p != NULL ? frame_power_energy(p, rail) : NULL;

		if (e == NULL || !e->fresh || !(e->span_s <= span_s))
			continue;
		sum.joules += e->watts * e->span_s;
		sum.s += e->span_s;
		sum.most_watts = fmax(sum.most_watts, e->watts);
	}
	return sum;
}

bool
history_power_then(const struct history *h, uint64_t from, uint64_t last,
		   const struct history_rows *rows)
{
	static const double late_s = 2; /* A span of energy may begin before the
					   window's first frame. */
	const struct frame_power *p = history_power_of(h, last);

	if (p == NULL || rows->power == NULL)
		return false;
	memcpy(rows->power_row, p->row, p->nrows * sizeof *p->row);
	*rows->power = *p;
	rows->power->row = rows->power_row;
	if (from == last)
		return true;
	double window_s = history_entry(h, last)->elapsed_s -
			  history_entry(h, from)->elapsed_s +
			  history_entry(h, from)->interval_s;

	for (unsigned rail = 0; rail < p->nrows + POWER_WHOLES; rail++) {
		struct power_sums s = { .instructions = 0 };

		for (uint64_t i = from; i <= last; i++) {
			const struct frame_power *one = history_power_of(h, i);

			if (one != NULL)
				power_sums_add_rail(&s, one, rail,
						    window_s + late_s);
		}
		const struct power_total *e = &s.of[POWER_TOTAL_CPUS],
					 *t = &s.of[POWER_TOTAL_TRAFFIC];
		struct power_row *row =
			rail < p->nrows ? &rows->power_row[rail] : NULL;

		*(row != NULL ? &row->energy
			      : &rows->power->whole[rail - p->nrows]) =
			(struct power_energy){ power_sums_rate(
						       &s, POWER_TOTAL_CPUS),
					       e->span_s, e->marks, true };
		if (row != NULL)
			row->nj_instruction = power_sums_nj(&s);
		if (row != NULL && t->span_s > 0)
			row->traffic = (struct power_traffic){
				power_sums_rate(&s, POWER_TOTAL_READ),
				power_sums_rate(&s, POWER_TOTAL_WRITTEN),
				power_sums_rate(&s, POWER_TOTAL_TRAFFIC),
				t->span_s,
				t->marks,
				true
			};
	}
	return true;
}
