#include "model/bottleneck.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "model/frame.h"
#include "model/metric.h"

#define BOTTLENECK_TEXT(name, ...) { __VA_ARGS__ },
const struct bottleneck_texts bottleneck_words[BOTTLENECK_COUNT] = {
	BOTTLENECKS(BOTTLENECK_TEXT)
};
#undef BOTTLENECK_TEXT

const char *const bottleneck_measure_metric[MEASURE_COUNT] = {
	[MEASURE_USEFUL] = "retiring_pct",
	[MEASURE_PROCESSING] = "backend_pct",
	[MEASURE_DISCARDED] = "bad_spec_pct",
	[MEASURE_DELIVERY] = "frontend_pct",
	[MEASURE_STALL] = "stall_pct",
	[MEASURE_STARVE] = "starve_pct",
	[MEASURE_BRANCH] = "branch_mpki",
	[MEASURE_BRANCH_ANY] = "branch_any_mpki",
	[MEASURE_L1D_LOAD] = "l1d_ld_mpki",
	[MEASURE_L1D_FILL] = "l1d_fill_mpki",
	[MEASURE_LLC] = "llc_mpki",
	[MEASURE_DRAM] = "dram_fill_mpki",
	[MEASURE_MEMSYS] = "ldsrc_memsys_mpki",
	[MEASURE_LOAD_WAIT] = "load_wait_pct",
	[MEASURE_L1I] = "l1i_mpki",
	[MEASURE_L1ITLB] = "l1itlb_mpki",
	[MEASURE_USER] = "user_pct",
	[MEASURE_USER_IPC] = "user_ipc",
};

/*
 * From where on a measure speaks for its cause, for cores that map six
 * micro-operations a cycle or more, and for narrower ones. The slots' are the
 * shares that Apple calls noteworthy; a narrow core fills more of its slots, so
 * that less of them is lost to delivery before it matters. The others stand
 * between what programs of known nature show and what the rest does
 * (docs/DECISIONS.md has the table).
 */
static const struct {
	double wide, narrow;
} mark_table[MEASURE_COUNT] = {
	[MEASURE_PROCESSING] = { 40, 40 }, [MEASURE_DISCARDED] = { 20, 20 },
	[MEASURE_DELIVERY] = { 25, 35 },   [MEASURE_STALL] = { 40, 40 },
	[MEASURE_STARVE] = { 20, 20 },     [MEASURE_BRANCH] = { 5.5, 5.5 },
	[MEASURE_BRANCH_ANY] = { 7, 7 },   [MEASURE_L1D_LOAD] = { 15, 15 },
	[MEASURE_L1D_FILL] = { 20, 20 },   [MEASURE_LLC] = { 2, 2 },
	[MEASURE_DRAM] = { 2, 2 },         [MEASURE_MEMSYS] = { 2, 2 },
	[MEASURE_LOAD_WAIT] = { 30, 30 },  [MEASURE_L1I] = { 10, 10 },
	[MEASURE_L1ITLB] = { 1.5, 1.5 }
};

enum { NARROW = 6 };

/*
 * Cycles that a wrong guess costs, about; and from which share of all cycles
 * that counts, where the slots thrown away are not counted, or not well.
 */
static const double guess_cycles = 15;
static const double guess_mark_wide = 0.20, guess_mark_narrow = 0.12,
		    guess_mark_unknown = 0.18;

/*
 * A cause must be so much further over its mark than the next; one whose
 * evidence is so much of what it must be counts as a next.
 */
static const double lead = 1.25, nearly = 0.5;

static const float slots_fresh_s = 5;

/* Busy below the first is idle; above the second it is no longer. */
static const double idle_below = 5, idle_until = 8;

static const double kernel_below = 50; /* % of cycles in user mode */

/*
 * Useful slots from which on nothing is wrong: half of them, or six tenths
 * of what the kind has reached, but not less than a share of its width. Where
 * nothing is known of losses, three quarters.
 */
static const double useful_well = 0.5, reach_share = 0.6,
		    reach_share_alone = 0.75;

/* The same where a kind's width is not known: cycles without a known loss. */
static const double cycles_well = 0.45;

static const double reach_fastest = 0.5, reach_others = 0.35;

int
bottleneck_find(const char *word)
{
	for (int i = 0; i < BOTTLENECK_COUNT; i++)
		if (strcmp(bottleneck_words[i].word, word) == 0)
			return i;
	return -1;
}

/* A row with the marks of its kind, while it is judged. */
struct judge {
	const struct bottleneck_row *r;
	bool narrow;
	bool by_slots; /* shares are of slots, not of cycles */
};

/* Of three causes. */
struct cause {
	enum bottleneck_word word;
	double over;  /* how far over its mark: 1 is at it; 0: not known */
	double share; /* of slots or cycles, 0 to 1 */
	enum bottleneck_basis basis;
	double age_s;
	bool known;          /* the share is */
	bool shown, checked; /* there is evidence; some was looked at */
	double near;         /* the most of it: 1 is enough */
	int evidence;        /* measure; -1: none */
};

/*
 * Slots say more than cycles, and those of some seconds ago still do where
 * presets take turns; older ones only where nothing newer tells.
 */
static bool
slots_are_fresh(const struct bottleneck_row *r)
{
	const struct bottleneck_measured *slots = &r->m[MEASURE_USEFUL],
					 *cycles = &r->m[MEASURE_STALL];

	if (isnan(slots->value))
		return false;
	return isnan(cycles->value) || slots->age_s <= cycles->age_s ||
	       slots->age_s <= slots_fresh_s;
}

static bool
known(const struct judge *j, enum bottleneck_measure m)
{
	return !isnan(j->r->m[m].value);
}

static double
over(const struct judge *j, enum bottleneck_measure m)
{
	double mark = j->narrow ? mark_table[m].narrow : mark_table[m].wide;

	return known(j, m) ? (double)j->r->m[m].value / mark : 0;
}

/* Parts of slots or of cycles, as all shares of the row. */
static void
take_share(const struct judge *j, enum bottleneck_measure slots,
	   enum bottleneck_measure cycles, struct cause *c)
{
	enum bottleneck_measure m = j->by_slots ? slots : cycles;

	c->known = m < MEASURE_COUNT && known(j, m);
	if (!c->known)
		return;
	c->over = over(j, m);
	c->share = (double)j->r->m[m].value / 100;
	c->age_s = (double)j->r->m[m].age_s;
	c->basis = j->by_slots ? BOTTLENECK_OF_SLOTS : BOTTLENECK_OF_CYCLES;
}

/* What speaks for it among the measures from `from` to `to`. */
static void
take_evidence(const struct judge *j, enum bottleneck_measure from,
	      enum bottleneck_measure to, struct cause *c)
{
	double best = 0;

	for (enum bottleneck_measure m = from; m <= to; m++) {
		if (!known(j, m))
			continue;
		double w = over(j, m);

		c->checked = true;
		if (w > c->near)
			c->near = w;
		if (w < 1 || w <= best)
			continue;
		best = w;
		c->shown = true;
		c->evidence = (int)m;
	}
}

static struct cause
memory(const struct judge *j)
{
	struct cause c = { .word = BOTTLENECK_MEMORY, .evidence = -1 };

	take_share(j, MEASURE_PROCESSING, MEASURE_STALL, &c);
	take_evidence(j, MEASURE_L1D_LOAD, MEASURE_LOAD_WAIT, &c);
	/* The plain count says more to a person than a share of waits. */
	if (c.shown && over(j, MEASURE_L1D_LOAD) >= 1)
		c.evidence = MEASURE_L1D_LOAD;
	return c;
}

static struct cause
starves(const struct judge *j)
{
	struct cause c = { .word = BOTTLENECK_FRONTEND, .evidence = -1 };

	take_share(j, MEASURE_DELIVERY, MEASURE_STARVE, &c);
	take_evidence(j, MEASURE_L1I, MEASURE_L1ITLB, &c);
	/* Cycles without a single micro-op are evidence as well. */
	if (known(j, MEASURE_STARVE)) {
		c.checked = true;
		c.shown |= over(j, MEASURE_STARVE) >= 0.75;
	}
	return c;
}

/* Wrong guesses: the slots thrown away; else what so many of them cost. */
static struct cause
branches(const struct judge *j)
{
	enum bottleneck_measure m =
		known(j, MEASURE_BRANCH) ? MEASURE_BRANCH : MEASURE_BRANCH_ANY;
	struct cause c = { .word = BOTTLENECK_BAD_SPEC, .evidence = -1 };

	take_share(j, MEASURE_DISCARDED, MEASURE_COUNT, &c);
	if (!known(j, m)) {
		c.shown = c.known; /* the slots themselves are evidence */
		return c;
	}
	double mark = j->r->width == 0 && !j->r->fastest ? guess_mark_unknown
		      : j->narrow                        ? guess_mark_narrow
							 : guess_mark_wide;
	double cost = (double)j->r->m[m].value / 1000 * j->r->ipc *
		      guess_cycles; /* NAN where that IPC is not counted */

	c.checked = true;
	c.shown = over(j, m) >= 0.5;
	c.evidence = c.shown ? (int)m : -1;
	if (isnan(cost))
		return c;
	if (!c.known) {
		c.known = true;
		c.share = cost;
		c.basis = BOTTLENECK_ESTIMATE;
		c.age_s = fmax((double)j->r->m[m].age_s, j->r->ipc_age_s);
	}
	c.over = fmax(c.over, cost / mark);
	return c;
}

/* Useful slots: counted, else from instructions, which are a few less. */
static double
useful(const struct judge *j, double *age_s)
{
	*age_s = 0;
	if (known(j, MEASURE_USEFUL)) {
		*age_s = (double)j->r->m[MEASURE_USEFUL].age_s;
		return (double)j->r->m[MEASURE_USEFUL].value / 100;
	}
	*age_s = j->r->ipc_age_s;
	return j->r->width > 0 ? j->r->ipc / j->r->width : NAN;
}

static double
useful_enough(const struct judge *j, bool alone)
{
	double least = j->r->fastest ? reach_fastest : reach_others;
	double reach = j->r->width > 0 ? j->r->reach / j->r->width : 0;

	return fmin(useful_well, (alone ? reach_share_alone : reach_share) *
					 fmax(least, reach));
}

static void
see(struct bottleneck *out, const char *preset)
{
	out->see = (int8_t)(preset[0] != 0 ? preset_find(preset) : -1);
}

static void
tell(struct bottleneck *out, const struct judge *j, const struct cause *c)
{
	out->word = (uint8_t)c->word;
	out->share = out->cost = (float)fmin(1, c->share);
	out->basis = (uint8_t)c->basis;
	out->age_s = (float)c->age_s;
	if (c->evidence >= 0) {
		const struct bottleneck_measured *m = &j->r->m[c->evidence];

		out->evidence = (int16_t)j->r->metric[c->evidence];
		out->evidence_value = m->value;
		out->evidence_age_s = m->age_s;
	}
	see(out, bottleneck_words[c->word].see);
}

void
bottleneck_see_what_tells(const bool *possible, struct bottleneck *out)
{
	if (possible[MEASURE_USEFUL])
		see(out, "topdown");
	else if (possible[MEASURE_STALL])
		see(out, "basic");
}

static void
tell_unknown(struct bottleneck *out, const struct judge *j)
{
	out->word = BOTTLENECK_UNKNOWN;
	bottleneck_see_what_tells(j->r->possible, out);
}

/* Looked for, and not there. */
static bool
ruled_out(const struct cause *c)
{
	return c->checked && !c->shown;
}

/* The cause that is furthest over its mark, by enough; NULL: none is. */
static const struct cause *
furthest(const struct cause *c, unsigned n)
{
	const struct cause *best = NULL;

	for (unsigned i = 0; i < n; i++)
		if (!ruled_out(&c[i]) &&
		    (best == NULL || c[i].over > best->over))
			best = &c[i];
	if (best == NULL || best->over < 1)
		return NULL;
	for (unsigned i = 0; i < n; i++)
		if (&c[i] != best &&
		    (!ruled_out(&c[i]) || c[i].near >= nearly) &&
		    best->over < lead * c[i].over)
			return NULL;
	return best;
}

/* No cause stands out: it does well, or loses much to several. */
static void
judge_rest(const struct judge *j, const struct cause *c, double use,
	   double age_s, struct bottleneck *out)
{
	double lost = 0;

	for (unsigned i = 0; i < 3; i++)
		lost += c[i].known ? c[i].share : NAN;
	double least = useful_enough(j, isnan(lost));

	if (isnan(use)) {
		use = 1 - lost;
		least = cycles_well;
	}
	out->age_s = (float)age_s;
	if (use >= least) {
		out->word = BOTTLENECK_NONE;
		return;
	}
	if (isnan(lost)) {
		tell_unknown(out, j);
		return;
	}
	out->word = BOTTLENECK_MIXED;
	out->share = (float)(1 - use);
	out->cost = (float)(1 - use / least);
	out->basis = known(j, MEASURE_USEFUL) ? BOTTLENECK_OF_SLOTS
					      : BOTTLENECK_ESTIMATE;
	see(out, bottleneck_words[BOTTLENECK_MIXED].see);
}

static void
judge_work(const struct judge *j, struct bottleneck *out)
{
	const struct cause cause[] = { memory(j), branches(j), starves(j) };
	const struct cause *c = furthest(cause, 3);
	double age_s, use = useful(j, &age_s);

	if (use >= useful_well) {
		out->word = BOTTLENECK_NONE;
		out->age_s = (float)age_s;
	} else if (c != NULL && c->shown) {
		tell(out, j, c);
	} else if (c != NULL) {
		/* Only its evidence is missing: what counts it? */
		out->share = (float)fmin(1, c->share);
		out->basis = (uint8_t)c->basis;
		out->age_s = (float)c->age_s;
		see(out, bottleneck_words[c->word].see);
	} else {
		judge_rest(j, cause, use, age_s, out);
	}
}

void
bottleneck_judge(const struct bottleneck_row *r, struct bottleneck *out)
{
	struct judge j = { .r = r,
			   .narrow = r->width > 0 ? r->width < NARROW
						  : !r->fastest,
			   .by_slots = slots_are_fresh(r) };

	*out = (struct bottleneck){ .word = BOTTLENECK_UNKNOWN,
				    .see = -1,
				    .evidence = -1,
				    .share = NAN,
				    .cost = NAN,
				    .evidence_value = NAN,
				    .impact = NAN,
				    .shared = NAN };
	if (r->busy_pct < (r->was_idle ? idle_until : idle_below)) {
		out->word = BOTTLENECK_IDLE;
	} else if (r->user_pct < kernel_below) {
		out->word = BOTTLENECK_KERNEL;
		out->share = (float)(1 - r->user_pct / 100);
		out->age_s = r->m[MEASURE_USER].age_s;
		out->basis = BOTTLENECK_OF_CYCLES;
		see(out, bottleneck_words[BOTTLENECK_KERNEL].see);
	} else {
		judge_work(&j, out);
	}
}

/* ---- which is the worst ---- */

struct losses {
	struct bottleneck_loss *at;
	unsigned n, max;
};

static void
insert(struct losses *l, unsigned scope, double lost)
{
	unsigned at = l->n;

	while (at > 0 && l->at[at - 1].lost < lost) {
		if (at < l->max)
			l->at[at] = l->at[at - 1];
		at--;
	}
	if (at < l->max)
		l->at[at] = (struct bottleneck_loss){ scope, lost };
	l->n += l->n < l->max;
}

static bool
has(const struct losses *l, unsigned scope)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->at[i].scope == scope)
			return true;
	return false;
}

/* Less reads as 0.0. */
static const double least = 0.05;

static bool
worth_a_line(const struct bottleneck *v, bool loud)
{
	return bottleneck_loses((enum bottleneck_word)v->word) &&
	       v->shared >= least && (v->flagged || !loud);
}

unsigned
bottleneck_losses(const struct frame *f, bool loud, struct bottleneck_loss *out,
		  unsigned max)
{
	/* A sum of several is more than any of them. */
	static const double several = 1.00001;
	struct losses l = { out, 0, max };

	for (unsigned c = 0; f->bottleneck != NULL && c < f->topology->ncpus;
	     c++) {
		const struct bottleneck *one = &f->bottleneck[c];
		unsigned group =
			frame_scope_cluster(f, f->topology->cpu[c].cluster);
		const struct bottleneck *its = &f->bottleneck[group];

		if (!worth_a_line(one, loud))
			continue;
		if (its->word != one->word ||
		    !(its->shared > one->shared * several))
			insert(&l, c, one->shared);
		else if (worth_a_line(its, loud) && !has(&l, group))
			insert(&l, group, its->shared);
	}
	return l.n;
}

double
bottleneck_slower_by(const struct frame *f, unsigned scope,
		     const struct bottleneck *v)
{
	const struct span *t = &f->span[scope];

	if (!(v->before_s > 0) || !span_has_fixed(t) ||
	    !(span_interval_s(t) > 0))
		return NAN;
	double needed = (double)t->instructions / (double)v->ipc_before;

	return ((double)t->cycles - needed) / span_interval_s(t) * 1e-9;
}

/* What has become slower, at the cost of most cycles first. */
static unsigned
slower(const struct frame *f, struct bottleneck_loss *out, unsigned max)
{
	struct losses l = { out, 0, max };

	for (unsigned c = 0; c < f->topology->ncpus; c++) {
		unsigned group =
			frame_scope_cluster(f, f->topology->cpu[c].cluster);
		unsigned s = f->bottleneck[group].before_s > 0 ? group : c;
		double by = bottleneck_slower_by(f, s, &f->bottleneck[s]);

		if (f->bottleneck[c].before_s > 0 && by > 0 && !has(&l, s))
			insert(&l, s, by);
	}
	return l.n;
}

unsigned
bottleneck_worst(const struct frame *f)
{
	/* Rows that lose about the same would take turns. */
	static const double stays = 1.25;
	struct bottleneck_loss loss[BOTTLENECK_LOSSES];
	unsigned n = bottleneck_losses(f, true, loss, BOTTLENECK_LOSSES);

	if (n == 0 && f->bottleneck != NULL)
		n = slower(f, loss, BOTTLENECK_LOSSES);
	for (unsigned i = 0; i < n; i++)
		if (f->bottleneck[loss[i].scope].named &&
		    loss[i].lost * stays >= loss[0].lost)
			return loss[i].scope;
	return n > 0 ? loss[0].scope : f->nscopes;
}
