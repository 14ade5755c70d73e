#include "model/bound.h"

#include "model/topdown.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Rates and clocks (GHz) have no value if a smaller share of the time was
 * counted. */
static const double coverage_min = 0.1;

static const double coverage_full = 0.999;

static const uint32_t fixed_bits = 1u << TERM_CYCLES | 1u << TERM_INSTRUCTIONS;
static const uint32_t counter_bits = (1u << TERM_COUNTS) - 1;

static double
time_value(const struct bound_part *p, const struct span *s, bool scaled)
{
	switch (p->source) {
	case TERM_BUSY_NS:
		return s->busy_ns;
	case TERM_WALL_NS:
		return s->wall_ns;
	case TERM_CPU_NS:
		return s->cpu_ns;
	case TERM_EVENT_NS:
		return scaled ? s->wall_ns
			      : s->event_ns * (s->wall_ns / s->cpu_ns);
	default:
		return 0;
	}
}

/* Returns a time, or a count; scaled: the count is extrapolated to cpu_ns. */
static double
part_value(const struct bound_part *p, const struct span *s, bool scaled)
{
	if (p->source >= TERM_COUNTS)
		return time_value(p, s, scaled);
	double v = (double)s->count[p->source];

	if (scaled && span_ns(s, p->source) > 0)
		v *= s->cpu_ns / span_ns(s, p->source);
	return v;
}

static double
sum_parts(const struct bound_part *part, unsigned n, const struct span *s,
	  bool scaled)
{
	double v = 0;

	for (unsigned i = 0; i < n; i++)
		v += part[i].weight * part_value(&part[i], s, scaled);
	return v;
}

static bool
counted_together(const struct bound *b, const struct span *s)
{
	uint32_t left = b->need & counter_bits;
	double missed = (b->need >> TERM_BUSY_NS) != 0 || left == 0
				? 0
				: (double)s->missed_ns[__builtin_ctz(left)];
	double most = 1e-6 * (s->cpu_ns - missed);

	for (; left != 0; left &= left - 1)
		if (fabs((double)s->missed_ns[__builtin_ctz(left)] - missed) >
		    most)
			return false;
	return true;
}

static double
least_coverage(const struct bound *b, const struct span *s)
{
	double least = 1;

	for (uint32_t left = b->need & counter_bits; left != 0;
	     left &= left - 1) {
		double part =
			span_ns(s, (unsigned)__builtin_ctz(left)) / s->cpu_ns;

		least = part < least ? part : least;
	}
	return least;
}

static bool
is_member(const struct members *who, unsigned cpu)
{
	const struct topology_cpu *c = &who->topology->cpu[cpu];

	switch (who->level) {
	case SCOPE_CORE:
		return cpu == who->index;
	case SCOPE_CLUSTER:
		return c->cluster == who->index;
	case SCOPE_KIND:
		return c->kind == who->index;
	case SCOPE_ALL:
		return true;
	}
	return false;
}

static bool
member_can_count(const struct bound *b, const struct members *who, unsigned cpu)
{
	return (who->cpus[cpu].have_any & b->need) == b->need &&
	       !bound_is_impossible(b, who->cpus[cpu].doubt);
}

/* kind -1: all kinds of core. False: no member has all counts that b needs. */
static bool
sum_counting_members(const struct bound *b, const struct members *who, int kind,
		     struct span *out)
{
	const struct topology *t = who->topology;

	/* out->n may count a CPU several times: in a sum over intervals. */
	unsigned cpus = 0;

	span_clear(out);
	for (unsigned i = 0; i < t->ncpus; i++) {
		const struct span *c = &who->cpus[i];

		if (!is_member(who, i) || !member_can_count(b, who, i) ||
		    (kind >= 0 && t->cpu[i].kind != (unsigned)kind))
			continue;
		span_add(out, c);
		cpus++;
	}
	out->wall_ns = out->cpu_ns / fmax(cpus, 1);
	return out->n > 0;
}

static bool
is_absolute_number(const struct bound *b)
{
	return b->rate || (b->need & 1u << TERM_BUSY_NS) != 0;
}

static bool
hardly_counted(const struct bound *b, const struct span *s)
{
	return is_absolute_number(b) && least_coverage(b, s) < coverage_min;
}

struct fraction {
	double num, den;
	bool scaled;
};

static double
quotient(const struct bound *b, const struct fraction *f)
{
	const struct metric *m = b->metric;
	double v;

	if (!(f->den > 0) || (f->scaled && m->one_time))
		return NAN;
	v = m->scale * f->num / f->den;
	if (v < 0)
		return NAN;
	return m->clamp && v > m->scale ? m->scale : v;
}

static bool
is_from_few(const struct bound *b, const struct span *s,
	    const struct fraction *f)
{
	const struct metric *m = b->metric;
	double num = f->scaled ? sum_parts(b->num, b->nnum, s, false) : f->num;

	return (b->few_of_num && !b->rate && num < BOUND_FEW_EVENTS) ||
	       ((m->unit == UNIT_MPKI || m->one_time) &&
		f->den < BOUND_FEW_INSTRUCTIONS) ||
	       (m->unit == UNIT_GHZ && f->den < BOUND_FEW_BUSY_NS);
}

static double
check_value(const struct bound *b, const struct span *s,
	    const struct fraction *f, double v, enum value_state *state)
{
	if (b->metric->unit == UNIT_GHZ && v > SPAN_GHZ_MAX) {
		*state = VALUE_IMPOSSIBLE;
		return NAN;
	}
	if (is_from_few(b, s, f))
		*state = VALUE_FEW;
	return v;
}

static double
ratio_value(const struct bound *b, const struct span *s, bool scaled,
	    enum value_state *state)
{
	if (hardly_counted(b, s)) {
		*state = VALUE_NOT_COUNTED;
		return NAN;
	}
	if (b->need == fixed_bits && s->count[TERM_INSTRUCTIONS] == 0) {
		*state = VALUE_IMPOSSIBLE;
		return NAN;
	}
	struct fraction f = { sum_parts(b->num, b->nnum, s, scaled),
			      sum_parts(b->den, b->nden, s, scaled), scaled };
	double v = quotient(b, &f);

	if (isnan(v)) {
		*state = VALUE_FEW;
		return NAN;
	}
	return check_value(b, s, &f, v, state);
}

static enum value_state
missing_state(const struct bound *b, const struct span *s)
{
	if (s->n_off == s->ncpus)
		return VALUE_OFF;
	if ((b->need & s->held & ~s->have_any) != 0)
		return VALUE_IN_USE;
	if ((b->need & span_cannot(s) & counter_bits) != 0)
		return VALUE_UNSUPPORTED;
	if ((s->quality & QUALITY_MUX) != 0)
		return VALUE_NOT_COUNTED;
	if (s->n_stale > 0)
		return VALUE_STALE;
	if (s->n_denied > 0)
		return VALUE_DENIED;
	if (s->n_skipped > 0)
		return VALUE_IDLE;
	if (s->n == 0 || (b->need & fixed_bits & ~s->have_any) != 0)
		return VALUE_UNSUPPORTED;
	return VALUE_STALE;
}

static double
core_value(const struct bound *b, const struct span *s,
	   const struct members *who, enum value_state *state)
{
	if (!who->topology->smt)
		*state = VALUE_UNSUPPORTED;
	else if (!(s->core_cycles > 0))
		*state = VALUE_STALE;
	else
		return b->metric->scale * s->core_instructions / s->core_cycles;
	return NAN;
}

/* If some CPUs lack counts that b needs, sets *s to the sum of the others.
 * False and *state: no value. */
static bool
choose_sums(const struct bound *b, const struct span **s,
	    const struct members *who, struct span *some,
	    enum value_state *state)
{
	bool doubt = bound_is_impossible(b, (*s)->doubt);

	if (((*s)->have_all & b->need) == b->need && !doubt)
		return true;
	if (who->cpus == NULL) {
		*state = VALUE_IMPOSSIBLE;
		return !doubt;
	}
	if (sum_counting_members(b, who, -1, some)) {
		*s = some;
		return true;
	}
	*state = doubt ? VALUE_IMPOSSIBLE : missing_state(b, *s);
	return false;
}

static unsigned
value_marks(const struct bound *b, const struct span *row, const struct span *s,
	    const struct members *who, bool scaled)
{
	unsigned marks = 0;

	/* A ratio of counts over the same time is not scaled, but multiplexing
	 * makes it an estimate. */
	if (((s->quality & QUALITY_MUX) != 0 || is_absolute_number(b) ||
	     scaled) &&
	    least_coverage(b, s) < coverage_full)
		marks |= VALUE_SCALED;
	if ((row->cannot_any & b->need) != 0)
		marks |= VALUE_PART;
	else if (b->unlike && who->level == SCOPE_ALL)
		marks |= VALUE_UNLIKE;
	return marks;
}

enum { /* indices of terms in TOPDOWN_TERMS and TOPDOWN_AND (metric_table.c) */
       PROCESSING_TERM = 1,
       DISCARDED_TERM = 2,
       TOTAL_TERM = 3,
       BUBBLE_TERM = 4,
       CORRECTION_TERM = 5,
       MISCOUNTED_TERM = 6,
       LATENCY_TERM = 7,
       /* indices of alternatives in a term */
       PROCESSING_IS_REST = 2,
       TOTAL_IS_SLOTS = 1,
       BUBBLE_IS_SLOTS = 2,
       BUBBLE_IS_REST = 1
};

static void
topdown_terms(const struct bound *b, const struct span *s, bool scaled,
	      double term[METRIC_TERMS])
{
	for (int i = 0; i < METRIC_TERMS; i++)
		term[i] = NAN;
	for (unsigned i = 0; i < b->nnum; i++) {
		double v = b->num[i].weight * part_value(&b->num[i], s, scaled);
		double *t = &term[b->num[i].term];

		*t = isnan(*t) ? v : *t + v;
	}
}

static bool
counts_in_slots(const struct bound *b)
{
	return b->choice[TOTAL_TERM] <= TOTAL_IS_SLOTS;
}

static double
kind_share(const struct bound *b, const struct span *s, unsigned width,
	   double *slots)
{
	double term[METRIC_TERMS], share[TOPDOWN_SHARES];
	bool scaled = !counted_together(b, s);

	topdown_terms(b, s, scaled, term);
	if (counts_in_slots(b)) {
		struct topdown_slots c = {
			.slots = term[TOTAL_TERM],
			.useful = term[0],
			.processing = term[PROCESSING_TERM],
			.discarded = term[DISCARDED_TERM],
			.delivery = term[BUBBLE_TERM],
			.correction = term[CORRECTION_TERM],
			.miscounted = term[MISCOUNTED_TERM],
			.latency = term[LATENCY_TERM] /
				   sum_parts(b->den, b->nden, s, scaled),
			.discards = (enum topdown_discards)
					    b->choice[DISCARDED_TERM],
			.corrects = (enum topdown_corrects)
					    b->choice[CORRECTION_TERM],
			.delivery_rest =
				b->choice[BUBBLE_TERM] == BUBBLE_IS_REST,
			.processing_rest = b->choice[PROCESSING_TERM] ==
					   PROCESSING_IS_REST,
			.other_thread = b->other_thread,
		};

		*slots = topdown_slot_shares(&c, share);
		return share[b->metric->share - 1];
	}
	*slots = topdown_shares(
		&(struct topdown_counts){
			.cycles = sum_parts(b->den, b->nden, s, scaled),
			.retired = term[0],
			.stall = term[PROCESSING_TERM],
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

static unsigned
members_kind(const struct members *who)
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

static double
machine_share(const struct bound *b, const struct members *who,
	      enum value_state *state)
{
	const struct topology *t = who->topology;
	double sum = 0, all = 0;

	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct span *s = &who->kinds[k];
		struct span some;
		double slots;

		if (s->n == 0 || (s->have_any & b->need) != b->need)
			continue;
		if (who->cpus != NULL && ((s->have_all & b->need) != b->need ||
					  bound_is_impossible(b, s->doubt))) {
			if (!sum_counting_members(b, who, (int)k, &some))
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

static double
share_value(const struct bound *b, const struct span *s,
	    const struct members *who, enum value_state *state)
{
	double slots, share;

	if (who->level == SCOPE_ALL)
		return machine_share(b, who, state);
	unsigned width = who->topology->kind[members_kind(who)].width;

	if (width == 0 && !counts_in_slots(b)) {
		*state = VALUE_UNSUPPORTED;
		return NAN;
	}
	share = kind_share(b, s, width, &slots);
	if (isnan(share))
		*state = VALUE_FEW;
	return b->metric->scale * share;
}

/* If all event counts are 0 although a CPU was not idle, no event counted. */
static bool
all_slots_zero(const struct span *s)
{
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		if ((s->have_any >> i & 1) != 0 && s->count[i] > 0)
			return false;
	return s->n_idle < s->n_ok;
}

/* Sets *out to b with fixed counters in place of denominator events of count 0.
 * False: no such event, or another count is missing, too. */
static bool
use_fixed_instead(const struct bound *b, const struct span *s,
		  struct bound *out)
{
	uint32_t missing = b->need & ~s->have_any;

	if (missing == 0 || (missing & ~(s->zero & b->may_stand_in)) != 0 ||
	    all_slots_zero(s))
		return false;
	*out = *b;
	out->need &= ~missing;
	for (unsigned i = 0; i < out->nden; i++) {
		struct bound_part *p = &out->den[i];

		if ((missing >> p->source & 1) == 0)
			continue;
		p->source = p->stand_in;
		out->need |= 1u << p->source;
	}
	return (s->have_any & out->need) == out->need;
}

static double
row_value(const struct bound *b, const struct span *s,
	  const struct members *who, enum value_state *state, unsigned *marks)
{
	const struct span *row = s;
	struct span some;
	bool scaled;
	double v;

	*state = VALUE_OK;
	*marks = 0;
	if ((s->have_any & b->need) != b->need) {
		*state = missing_state(b, s);
		return NAN;
	}
	/* Counts of the kernel (SW_ events) are valid on an idle CPU, too. */
	if (b->hardware && s->n_idle == s->n_ok && s->n_ok > 0) {
		*state = VALUE_IDLE;
		return NAN;
	}
	if (!choose_sums(b, &s, who, &some, state))
		return NAN;
	scaled = !counted_together(b, s);
	if (b->metric->core)
		v = core_value(b, row, who, state);
	else if (b->metric->share != 0)
		v = share_value(b, s, who, state);
	else
		v = ratio_value(b, s, scaled, state);

	if (*state == VALUE_OK && b->hardware && s->n_ok > 0 &&
	    (double)s->count[TERM_INSTRUCTIONS] < BOUND_FEW_INSTRUCTIONS)
		*state = VALUE_FEW;
	if (!isnan(v))
		*marks = value_marks(b, row, s, who, scaled);
	return v;
}

double
bound_value(const struct bound *b, const struct span *s,
	    const struct members *who, enum value_state *state, unsigned *marks)
{
	struct bound other;

	if (s->n == 0) {
		*marks = 0;
		*state = missing_state(b, s);
		return NAN;
	}
	if (who->no_stand_in || !use_fixed_instead(b, s, &other))
		return row_value(b, s, who, state, marks);
	double v = row_value(&other, s, who, state, marks);

	if (!isnan(v) && b->other_modes)
		*marks |= VALUE_MODES;
	return v;
}

static bool
parts_equal(const struct bound_part *a, const struct bound_part *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (a[i].term != b[i].term || (a[i].source != b[i].source &&
					       (a[i].source >= EVENTSET_MAX ||
						b[i].source >= EVENTSET_MAX)))
			return false;
	return true;
}

bool
bound_same_events(const struct bound *a, const struct bound *b)
{
	return a->nnum == b->nnum && a->nden == b->nden &&
	       memcmp(a->choice, b->choice, sizeof a->choice) == 0 &&
	       parts_equal(a->num, b->num, a->nnum) &&
	       parts_equal(a->den, b->den, a->nden);
}

static uint32_t
renumber_slots(const struct bound *to, const struct bound *from, uint32_t bits)
{
	uint32_t out = bits & ~((1u << EVENTSET_MAX) - 1);

	for (unsigned i = 0; i < to->nnum; i++)
		if (to->num[i].source < EVENTSET_MAX &&
		    (bits & 1u << from->num[i].source) != 0)
			out |= 1u << to->num[i].source;
	for (unsigned i = 0; i < to->nden; i++)
		if (to->den[i].source < EVENTSET_MAX &&
		    (bits & 1u << from->den[i].source) != 0)
			out |= 1u << to->den[i].source;
	return out;
}

void
bound_add(const struct bound *base, struct span *to, const struct bound *own,
	  const struct span *s)
{
	struct span as = *s;

	for (unsigned i = 0; i < base->nnum + base->nden; i++) {
		unsigned k = i < base->nnum ? i : i - base->nnum;
		bool num = i < base->nnum;
		unsigned at = num ? base->num[k].source : base->den[k].source;
		unsigned from = num ? own->num[k].source : own->den[k].source;

		if (at >= EVENTSET_MAX)
			continue;
		as.count[at] = s->count[from];
		as.missed_ns[at] = s->missed_ns[from];
	}
	as.have_all = renumber_slots(base, own, s->have_all);
	as.have_any = renumber_slots(base, own, s->have_any);
	span_add(to, &as);
}
