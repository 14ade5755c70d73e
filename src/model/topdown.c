#include "model/topdown.h"

#include <math.h>

static double
at_least_0(double v)
{
	return v > 0 ? v : 0;
}

/* M1, as in Apple's RecountDT.framework (bottleneck.json, t8103): bubbles are
 * cycles, and delivery is the remainder. If the sum exceeds 1, processing and
 * discarded are reduced in proportion; the file does not define how. */
static void
shares_by_remainder(const struct topdown_counts *c, double slots,
		    double share[TOPDOWN_SHARES])
{
	double useful = fmin(c->retired / slots, 1);
	double processing = at_least_0(c->stall) / c->cycles;
	double discarded =
		at_least_0(c->rewind * c->width + c->mapped - c->retired) /
		slots;
	double latency = c->bubble / c->cycles;
	double over = at_least_0(latency + discarded + processing + useful - 1);
	double both = processing + discarded;
	double kept = fmin(at_least_0(both - over), 1 - useful);
	double cut = both > 0 ? kept / both : 0;

	share[TOPDOWN_USEFUL] = useful;
	share[TOPDOWN_PROCESSING] = processing * cut;
	share[TOPDOWN_DISCARDED] = discarded * cut;
	share[TOPDOWN_DELIVERY] = 1 - useful - kept;
	share[TOPDOWN_UNACCOUNTED] = 0;
	share[TOPDOWN_BANDWIDTH] =
		at_least_0(share[TOPDOWN_DELIVERY] - latency);
}

/* M4 and later: empty slots are counted, so all four parts are measured. A sum
 * above 1 is cut to 1; below 1, the remainder is unaccounted. */
static void
shares_by_slots(const struct topdown_counts *c, double slots,
		double share[TOPDOWN_SHARES])
{
	double useful = c->retired / slots;
	double processing = at_least_0(c->stall) / c->cycles;
	double discarded =
		at_least_0(c->rewind * c->width + c->mapped - c->retired) /
		slots;
	double delivery = c->bubble / slots;
	double sum = useful + processing + discarded + delivery;
	double all = fmax(1, sum);

	share[TOPDOWN_USEFUL] = useful / all;
	share[TOPDOWN_PROCESSING] = processing / all;
	share[TOPDOWN_DISCARDED] = discarded / all;
	share[TOPDOWN_DELIVERY] = delivery / all;
	share[TOPDOWN_UNACCOUNTED] = at_least_0(1 - sum);
	share[TOPDOWN_BANDWIDTH] =
		at_least_0(delivery - c->latency / c->cycles) / all;
}

double
topdown_shares(const struct topdown_counts *c, double share[TOPDOWN_SHARES])
{
	double slots = c->cycles * c->width;

	for (int i = 0; i < TOPDOWN_SHARES; i++)
		share[i] = NAN;
	if (!(slots > 0))
		return 0;
	if (c->bubble_slots)
		shares_by_slots(c, slots, share);
	else
		shares_by_remainder(c, slots, share);
	if (isnan(c->latency))
		share[TOPDOWN_BANDWIDTH] = NAN;
	return slots;
}

/* TOPDOWN_SPECULATED also changes *useful. */
static double
discarded_slots(const struct topdown_slots *c, double *useful)
{
	double full = c->slots - c->delivery - c->processing;

	switch (c->discards) {
	case TOPDOWN_COUNTED:
		return c->discarded;
	case TOPDOWN_DISPATCHED:
		return at_least_0(c->discarded - c->useful);
	case TOPDOWN_SPECULATED:
		if (!(c->discarded > 0))
			return 0;
		*useful = at_least_0(full) * fmin(c->useful / c->discarded, 1);
		return at_least_0(full) - *useful;
	case TOPDOWN_REST:
		break;
	}
	return 0;
}

/* Moves recovery slots out of delivery and processing; returns their number. */
static double
recovery_slots(struct topdown_slots *c)
{
	static const double of_front[] = { [TOPDOWN_RECOVERY] = 1,
					   [TOPDOWN_RECOVERY_SHARED] = 0.25,
					   [TOPDOWN_RECOVERY_BACK] = 0 };
	double front, back;

	if (c->corrects == TOPDOWN_RIGHT)
		return 0;
	front = fmin(c->correction * of_front[c->corrects], c->delivery);
	back = fmin(c->correction * (1 - of_front[c->corrects]), c->processing);
	c->delivery -= front;
	c->processing -= back;
	return front + back;
}

double
topdown_slot_shares(const struct topdown_slots *of,
		    double share[TOPDOWN_SHARES])
{
	struct topdown_slots c = *of;
	double useful = c.useful, discarded, rest, sum, all;

	for (int i = 0; i < TOPDOWN_SHARES; i++)
		share[i] = NAN;
	if (!(c.slots > 0))
		return 0;
	c.delivery = at_least_0(c.delivery - c.miscounted);
	discarded = discarded_slots(&c, &useful);
	rest = at_least_0(c.slots - useful - discarded - c.delivery -
			  c.processing);
	c.delivery += c.delivery_rest ? rest : 0;
	c.processing += c.processing_rest ? rest : 0;
	discarded += recovery_slots(&c);
	if (c.discards == TOPDOWN_REST)
		discarded = at_least_0(c.slots - useful - c.delivery -
				       c.processing);
	sum = useful + discarded + c.delivery + c.processing;
	all = fmax(c.slots, sum);
	share[TOPDOWN_USEFUL] = useful / all;
	share[TOPDOWN_DISCARDED] = discarded / all;
	share[TOPDOWN_DELIVERY] = c.delivery / all;
	share[TOPDOWN_PROCESSING] = c.processing / all;
	share[c.other_thread ? TOPDOWN_OTHER_THREAD : TOPDOWN_UNACCOUNTED] =
		at_least_0(c.slots - sum) / c.slots;
	share[TOPDOWN_BANDWIDTH] =
		at_least_0(c.delivery / c.slots - c.latency) * c.slots / all;
	if (isnan(c.latency))
		share[TOPDOWN_BANDWIDTH] = NAN;
	return c.slots;
}
