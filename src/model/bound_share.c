/* Top-down shares of a row: each kind by its own width, then by slots. */
#include "model/bound_parts.h"

#include "model/topdown.h"

#include <math.h>
#include <stddef.h>

enum { /* places in the terms of the top-down rows of metric_table.c */
       DISCARDED_TERM = 2,
       TOTAL_TERM = 3,
       BUBBLE_TERM = 4,
       CORRECTION_TERM = 5,
       LATENCY_TERM = 6,
       /* and in their alternatives */
       TOTAL_IS_SLOTS = 1,
       BUBBLE_IS_SLOTS = 1
};

static void
topdown_terms(const struct bound *b, const struct sums *s, bool scaled,
	      double term[METRIC_TERMS])
{
	for (int i = 0; i < METRIC_TERMS; i++)
		term[i] = NAN;
	for (unsigned i = 0; i < b->nnum; i++) {
		double v = b->num[i].weight *
			   bound_part_value(&b->num[i], s, scaled);
		double *t = &term[b->num[i].term];

		*t = isnan(*t) ? v : *t + v;
	}
}

/* Slots that were counted need no width, and no guess about cycles. */
static bool
counts_in_slots(const struct bound *b)
{
	return b->choice[TOTAL_TERM] <= TOTAL_IS_SLOTS;
}

/* One kind's share, and the slots it is a share of. */
static double
kind_share(const struct bound *b, const struct sums *s, unsigned width,
	   double *slots)
{
	double term[METRIC_TERMS], share[TOPDOWN_SHARES];
	bool scaled = !bound_one_time(b, s);

	topdown_terms(b, s, scaled, term);
	if (counts_in_slots(b)) {
		struct topdown_slots c = {
			.slots = term[TOTAL_TERM],
			.useful = term[0],
			.processing = term[1],
			.discarded = term[DISCARDED_TERM],
			.delivery = term[BUBBLE_TERM],
			.correction = term[CORRECTION_TERM],
			.latency = term[LATENCY_TERM] /
				   bound_sum_parts(b->den, b->nden, s, scaled),
			.discards = (enum topdown_discards)
					    b->choice[DISCARDED_TERM],
			.corrects = (enum topdown_corrects)
					    b->choice[CORRECTION_TERM],
			.other_thread = b->other_thread,
		};

		*slots = topdown_slot_shares(&c, share);
		return share[b->metric->share - 1];
	}
	*slots = topdown_shares(
		&(struct topdown_counts){
			.cycles = bound_sum_parts(b->den, b->nden, s, scaled),
			.retired = term[0],
			.stall = term[1],
			.rewind = term[2],
			.mapped = term[3],
			.bubble = term[4],
			.bubble_slots =
				b->choice[BUBBLE_TERM] <= BUBBLE_IS_SLOTS,
			.latency = term[LATENCY_TERM],
			.width = width },
		share);
	return share[b->metric->share - 1];
}

/* The kind that a row below the machine belongs to. */
static unsigned
kind_of(const struct members *who)
{
	switch (who->level) {
	case SCOPE_CORE:
		return who->topology->cpu[who->index].kind;
	case SCOPE_CLUSTER:
		return who->topology->cluster[who->index].kind;
	case SCOPE_KIND:
	case SCOPE_ALL:
		break;
	}
	return who->index;
}

/*
 * Each kind by its own width, then by slots. Kinds that counted nothing weigh
 * nothing; one whose width is unknown makes the machine's share unknown.
 */
static double
machine_share(const struct bound *b, const struct members *who,
	      enum value_state *state)
{
	const struct topology *t = who->topology;
	double sum = 0, all = 0;

	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct sums *s = &who->kinds[k];
		struct sums some;
		double slots;

		if (s->n == 0 || (s->have_any & b->need) != b->need)
			continue;
		if ((s->have_all & b->need) != b->need ||
		    (who->delta != NULL && bound_doubtful(b, s->doubt))) {
			if (!bound_sum_able(b, who, (int)k, &some))
				continue;
			s = &some;
		}
		double share = kind_share(b, s, t->kind[k].width, &slots);

		if (t->kind[k].width == 0 && !counts_in_slots(b)) {
			*state = VALUE_UNSUPPORTED;
			return NAN;
		}
		if (slots > 0) {
			sum += share * slots;
			all += slots;
		}
	}
	if (!(all > 0)) {
		*state = VALUE_FEW;
		return NAN;
	}
	return b->metric->scale * sum / all;
}

double
bound_share_value(const struct bound *b, const struct sums *s,
		  const struct members *who, enum value_state *state)
{
	double slots, share;

	if (who->level == SCOPE_ALL)
		return machine_share(b, who, state);
	unsigned width = who->topology->kind[kind_of(who)].width;

	if (width == 0 && !counts_in_slots(b)) {
		*state = VALUE_UNSUPPORTED;
		return NAN;
	}
	share = kind_share(b, s, width, &slots);
	if (isnan(share))
		*state = VALUE_FEW; /* no slot went by */
	return b->metric->scale * share;
}
