#include "monitor/headline.h"

#include <math.h>

#include "model/metric.h"

/* Weight of the row in the headline, as hysteresis: otherwise rows with similar
 * losses would alternate. */
static const double same_row_weight = 1.25;

enum { BEFORE_S = 10, SLOW_SAMPLES = 3 };
static const double slow_busy_pct = 20, slow_below = 0.5, slow_for_s = 60;

/* *own: slots lost to the cause, as a share of the machine's used slots. */
static enum bottleneck_word
judge_last_seconds(const struct bottlenecks *v, unsigned row, struct shares *s,
		   double *own)
{
	double slots = 0, memory = 0, in_use = 0;
	enum bottleneck_word word;

	*s = (struct shares){ .of = { { 0, 0, 0 } } };
	for (unsigned i = 0; i < BOTTLENECK_SECONDS; i++) {
		const struct past_second *p = &v->past[row].second[i];

		shares_add(s, &p->slots_to, 1);
		slots += (double)p->slots;
		memory += (double)p->memory;
		in_use += v->second[i];
	}
	*own = 0;
	if (!(slots > 0))
		return BOTTLENECK_UNKNOWN;
	shares_divide(s, slots);
	word = shares_word(s);
	enum slot_share cause = share_of_word(word);

	if (cause == SHARE_COUNT)
		return word;
	*own = (double)share_middle(&s->of[cause]) * slots / in_use;
	return word == BOTTLENECK_BACKEND && 2 * memory >= slots
		       ? BOTTLENECK_MEMORY
		       : word;
}

static int8_t
first_other_preset(const struct bottlenecks *v, const uint8_t see[2])
{
	for (unsigned i = 0; i < 2; i++)
		if (v->see[see[i]] >= 0 && v->see[see[i]] != v->in_force)
			return v->see[see[i]];
	return -1;
}

int8_t
bottlenecks_see(const struct bottlenecks *v, const struct bottleneck *b)
{
	static const uint8_t all[2] = { SEE_TOPDOWN, SEE_BASIC };
	static const uint8_t kernel[2] = { SEE_OS, SEE_OS };
	static const uint8_t cause[SHARE_COUNT][2] = {
		[SHARE_BAD_SPEC] = { SEE_BRANCH, SEE_BRANCHKIND },
		[SHARE_FRONTEND] = { SEE_FRONTEND, SEE_FRONTEND },
		[SHARE_BACKEND] = { SEE_L1D, SEE_LDSRC },
	};
	enum slot_share s = share_of_word((enum bottleneck_word)b->word);
	bool separated =
		v->see[SEE_TOPDOWN] < 0 || v->see[SEE_TOPDOWN] == v->in_force;

	if (b->word == BOTTLENECK_NONE)
		return -1;
	if (b->word == BOTTLENECK_KERNEL)
		return first_other_preset(v, kernel);
	if (s == SHARE_COUNT && (b->cannot || !separated))
		return first_other_preset(v, all);
	if (s == SHARE_COUNT) {
		s = SHARE_BAD_SPEC;
		for (int i = SHARE_FRONTEND; i < SHARE_COUNT; i++)
			if (b->slots.of[i].high > b->slots.of[s].high)
				s = (enum slot_share)i;
	}
	return first_other_preset(v, cause[s]);
}

struct candidate {
	unsigned scope;
	enum bottleneck_word word;
	struct shares slots;
	double own;
};

static bool
is_candidate(const struct bottlenecks *v, unsigned row, struct candidate *out)
{
	bool cpu = row < v->topology->ncpus;
	const struct bottleneck *now = &v->bottleneck[row];

	if (now->word == BOTTLENECK_IDLE || now->word == BOTTLENECK_OFF ||
	    (cpu && !now->flagged))
		return false;
	out->scope = row;
	out->word = judge_last_seconds(v, row, &out->slots, &out->own);
	/* The headline does not contradict the row's current bottleneck, unless
	 * that is unknown. */
	if (now->word != BOTTLENECK_UNKNOWN &&
	    share_of_word((enum bottleneck_word)now->word) !=
		    share_of_word(out->word))
		return false;
	return share_of_word(out->word) != SHARE_COUNT &&
	       (cpu || out->own >= share_constants[CONSTANT_FLAG].middle);
}

static void
candidate_keep_worse(const struct bottlenecks *v, const struct candidate *c,
		     double *best, struct candidate *out)
{
	double weight =
		c->own * (c->scope == v->headline.scope ? same_row_weight : 1);

	if (weight <= *best)
		return;
	*best = weight;
	*out = *c;
}

/* A CPU is a candidate only if its cause differs from that of its cluster. */
static bool
candidate_find_worst(struct bottlenecks *v, struct candidate *out)
{
	const struct topology *t = v->topology;
	struct candidate c;
	double best = 0;

	for (unsigned k = 0; k < t->nclusters; k++) {
		bool is = is_candidate(v, t->ncpus + k, &c);

		v->speed[k].named = is ? share_of_word(c.word) : SHARE_COUNT;
		if (is)
			candidate_keep_worse(v, &c, &best, out);
	}
	for (unsigned i = 0; i < t->ncpus; i++)
		if (is_candidate(v, i, &c) &&
		    v->speed[t->cpu[i].cluster].named != share_of_word(c.word))
			candidate_keep_worse(v, &c, &best, out);
	return best > 0;
}

static void
headline_name_row(struct bottlenecks *v, const struct frame *f,
		  const struct candidate *c)
{
	struct headline *h = &v->headline;
	const struct bottleneck *now = &v->bottleneck[c->scope];
	enum slot_share cause = share_of_word(c->word);
	bool same = share_of_word((enum bottleneck_word)now->word) == cause;
	const struct shares *slots = same ? &now->slots : &c->slots;

	if (h->scope != c->scope ||
	    share_of_word((enum bottleneck_word)h->is.word) != cause)
		v->since_s = f->elapsed_s - f->interval_s;
	h->scope = c->scope;
	h->window_s = same ? 0 : (float)fmin(f->elapsed_s, BOTTLENECK_SECONDS);
	h->is = bottleneck_word_only(same ? (enum bottleneck_word)now->word
					  : c->word);
	h->is.flagged = true;
	h->is.slots = *slots;
	h->is.share = share_middle(&slots->of[cause]);
	h->is.basis = slots->of[cause].high - slots->of[cause].low < 0.01f
			      ? BOTTLENECK_OF_SLOTS
			      : BOTTLENECK_ESTIMATE;
	if (same) {
		h->is.evidence = now->evidence;
		h->is.evidence_value = now->evidence_value;
	}
	h->is.impact = now->impact;
	h->is.shared = now->shared;
	h->is.lost_pct = now->lost_pct;
	h->is.see = bottlenecks_see(v, &h->is);
}

static double
ratio_or_nan(double a, double b)
{
	return b > 0 ? a / b : (double)NAN;
}

void
headline_follow(struct bottlenecks *v, const struct frame *f, unsigned cluster)
{
	struct bottleneck_speed *p = &v->speed[cluster];
	const struct span *t = &f->span[v->topology->ncpus + cluster];
	struct speed_second *now = &p->second[v->now % HEADLINE_SPEEDS];
	const struct speed_second *then =
		&p->second[(v->now + HEADLINE_SPEEDS - BEFORE_S) %
			   HEADLINE_SPEEDS];
	double ipc = ratio_or_nan((double)t->instructions, (double)t->cycles);
	double before =
		ratio_or_nan((double)then->instructions, (double)then->cycles);
	bool busy = !(span_busy_pct(t) <= slow_busy_pct);

	now->cycles += (float)t->cycles;
	now->instructions += (float)t->instructions;
	now->busy_ns += (float)t->seen_busy_ns;
	now->cpu_ns += (float)t->seen_ns;
	if (p->slow) {
		p->slow = busy && ipc < slow_below * (double)p->ipc_before &&
			  f->elapsed_s - p->began_s < slow_for_s;
		return;
	}
	busy = busy && !(100 * ratio_or_nan((double)then->busy_ns,
					    (double)then->cpu_ns) <=
			 slow_busy_pct);
	if (!busy || !(ipc < slow_below * before)) {
		p->samples = 0;
		return;
	}
	if (p->samples++ == 0) {
		p->began_s = f->elapsed_s - f->interval_s;
		p->ipc_before = (float)before;
	}
	p->slow = p->samples >= SLOW_SAMPLES;
}

static bool
headline_name_slowed(struct bottlenecks *v, const struct frame *f)
{
	struct headline *h = &v->headline;
	const struct topology *t = v->topology;
	unsigned best = v->nscopes;

	for (unsigned k = 0; k < t->nclusters; k++) {
		unsigned row = t->ncpus + k;

		if (v->speed[k].slow &&
		    v->bottleneck[row].word == BOTTLENECK_UNKNOWN &&
		    (best == v->nscopes ||
		     f->span[row].cycles > f->span[best].cycles))
			best = row;
	}
	if (best == v->nscopes)
		return false;
	const struct bottleneck_speed *p = &v->speed[best - t->ncpus];

	h->scope = best;
	h->is = bottleneck_word_only(BOTTLENECK_UNKNOWN);
	h->is.ipc_before = p->ipc_before;
	h->is.before_s = (float)(f->elapsed_s - p->began_s);
	h->is.see = v->bottleneck[best].see;
	v->since_s = p->began_s;
	return true;
}

static bool
events_judge_any(const struct bottlenecks *v)
{
	unsigned judged = 0, work = 0;

	for (unsigned c = 0; c < v->topology->ncpus; c++) {
		const struct bottleneck *b = &v->bottleneck[c];

		if (b->word == BOTTLENECK_OFF || b->word == BOTTLENECK_IDLE)
			continue;
		work++;
		judged += !b->cannot;
	}
	return judged > 0 || work == 0;
}

void
headline_put(struct bottlenecks *v, const struct frame *f)
{
	struct headline *h = &v->headline;
	bool judged = events_judge_any(v);
	struct candidate c;

	if (judged) {
		v->judged_s = f->elapsed_s;
		v->judged_by = (int8_t)v->in_force;
	}
	h->by = judged ? -1 : v->judged_by;
	if (judged && candidate_find_worst(v, &c))
		headline_name_row(v, f, &c);
	else if (!headline_name_slowed(v, f) && (judged || h->is.before_s > 0))
		h->scope = v->nscopes;
	h->is.age_s = (float)(f->elapsed_s - v->judged_s);
	h->since_s =
		h->scope < v->nscopes ? (float)(f->elapsed_s - v->since_s) : 0;
}
