#include "model/topdown.h"

#include <math.h>

static double
at_least_0(double v)
{
	return v > 0 ? v : 0;
}

/*
 * M1 as Apple's own analysis file has it (RecountDT.framework, bottleneck.json
 * for t8103): bubbles are cycles, delivery is what is left, and where the parts
 * claim more than there is, processing and discarded give way. The file leaves
 * open how the two share that cut; in proportion keeps the bar at 1.
 */
static void
by_remainder(const struct topdown_counts *c, double slots,
	     double share[TOPDOWN_SHARES])
{
	double useful = fmin(c->retired / slots, 1);
	double processing = c->stall / c->cycles;
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
}

/* M4 and later count empty slots: four measured parts, brought to 1. */
static void
by_slots(const struct topdown_counts *c, double slots,
	 double share[TOPDOWN_SHARES])
{
	double useful = c->retired / slots, processing = c->stall / c->cycles;
	double discarded =
		at_least_0(c->rewind * c->width + c->mapped - c->retired) /
		slots;
	double delivery = c->bubble / slots;
	double all = useful + processing + discarded + delivery;

	share[TOPDOWN_USEFUL] = useful / all;
	share[TOPDOWN_PROCESSING] = processing / all;
	share[TOPDOWN_DISCARDED] = discarded / all;
	share[TOPDOWN_DELIVERY] = delivery / all;
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
		by_slots(c, slots, share);
	else
		by_remainder(c, slots, share);
	share[TOPDOWN_BANDWIDTH] =
		at_least_0(share[TOPDOWN_DELIVERY] - c->latency / c->cycles);
	if (isnan(c->latency))
		share[TOPDOWN_BANDWIDTH] = NAN;
	return slots;
}

double
topdown_slot_shares(const struct topdown_slots *c, double share[TOPDOWN_SHARES])
{
	double useful = c->useful, delivery = c->delivery,
	       processing = c->processing, discarded = c->discarded;

	for (int i = 0; i < TOPDOWN_SHARES; i++)
		share[i] = NAN;
	if (!(c->slots > 0))
		return 0;
	if (c->discards == TOPDOWN_DISPATCHED)
		discarded = at_least_0(discarded - useful);
	else if (c->discards == TOPDOWN_REST)
		discarded =
			at_least_0(c->slots - useful - delivery - processing);
	double all = fmax(c->slots, useful + discarded + delivery + processing);

	share[TOPDOWN_USEFUL] = useful / all;
	share[TOPDOWN_DISCARDED] = discarded / all;
	share[TOPDOWN_DELIVERY] = delivery / all;
	share[TOPDOWN_PROCESSING] = processing / all;
	return c->slots;
}
