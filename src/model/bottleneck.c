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
	[MEASURE_STARVE] = "frontend_stall_pct",
	[MEASURE_EMPTY_SLOTS] = "empty_slots",
	[MEASURE_BLOCKED_SLOTS] = "blocked_slots",
	[MEASURE_UOPS] = "uops_per_cycle",
	[MEASURE_IPC] = "ipc",
	[MEASURE_USER_IPC] = "user_ipc",
	[MEASURE_REWIND] = "rewind_pct",
	[MEASURE_RECOVERY] = "recovery_pct",
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
};

int
bottleneck_find(const char *word)
{
	for (int i = 0; i < BOTTLENECK_COUNT; i++)
		if (strcmp(bottleneck_words[i].word, word) == 0)
			return i;
	return -1;
}

struct bottleneck
bottleneck_word_only(enum bottleneck_word word)
{
	struct bottleneck b = { .word = (uint8_t)word,
				.see = -1,
				.evidence = -1,
				.share = NAN,
				.evidence_value = NAN,
				.impact = NAN,
				.shared = NAN,
				.lost_pct = NAN };

	for (int i = 0; i < SHARE_COUNT; i++)
		b.slots.of[i] = (struct share_range){ NAN, NAN, NAN };
	return b;
}

struct losses {
	struct bottleneck_loss *at;
	unsigned n, max;
};

static void
insert_loss(struct losses *l, unsigned scope, double lost)
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
has_loss(const struct losses *l, unsigned scope)
{
	for (unsigned i = 0; i < l->n; i++)
		if (l->at[i].scope == scope)
			return true;
	return false;
}

/* % of the machine's used slots. A smaller loss is displayed as 0.0. */
static const double least = 0.05;

static double
lost_to_word(const struct bottleneck *v)
{
	return v->word == BOTTLENECK_UNKNOWN ? v->lost_pct : v->shared;
}

static bool
is_worth_a_line(const struct bottleneck *v, bool loud)
{
	bool loses = bottleneck_loses((enum bottleneck_word)v->word) ||
		     (v->word == BOTTLENECK_UNKNOWN && !loud && !v->cannot &&
		      v->estimate != BOTTLENECK_NONE);

	return loses && lost_to_word(v) >= least && (v->flagged || !loud);
}

static bool
hides_a_cause(const struct frame *f, unsigned group)
{
	bool flagged = false;

	if (f->bottleneck[group].word != BOTTLENECK_UNKNOWN)
		return false;
	for (unsigned c = 0; c < f->topology->ncpus; c++)
		flagged |=
			f->topology->cpu[c].cluster == f->scope[group].index &&
			f->bottleneck[c].flagged;
	return flagged;
}

static void
losses_drop_members(const struct frame *f, struct losses *l)
{
	unsigned n = 0;

	for (unsigned i = 0; i < l->n; i++) {
		unsigned scope = l->at[i].scope;
		bool member =
			scope < f->topology->ncpus &&
			has_loss(l,
				 frame_scope_cluster(
					 f, f->topology->cpu[scope].cluster));

		if (!member)
			l->at[n++] = l->at[i];
	}
	l->n = n;
}

unsigned
bottleneck_losses(const struct frame *f, bool loud, struct bottleneck_loss *out,
		  unsigned max)
{
	/* A cluster is listed instead of its CPU only if the cluster loses more
	 * slots. The factor allows for rounding. */
	static const double several = 1.00001;
	struct losses l = { out, 0, max };

	for (unsigned c = 0; f->bottleneck != NULL && c < f->topology->ncpus;
	     c++) {
		const struct bottleneck *one = &f->bottleneck[c];
		unsigned group =
			frame_scope_cluster(f, f->topology->cpu[c].cluster);
		const struct bottleneck *its = &f->bottleneck[group];

		if (!is_worth_a_line(one, loud))
			continue;
		bool whole = its->word == one->word &&
			     lost_to_word(its) > lost_to_word(one) * several;

		/* hides_a_cause reads all CPUs, so it is called last. */
		if (has_loss(&l, group) && whole)
			continue;
		if (l.n == max &&
		    lost_to_word(whole ? its : one) <= out[max - 1].lost)
			continue;
		if (!whole || hides_a_cause(f, group))
			insert_loss(&l, c, lost_to_word(one));
		else if (is_worth_a_line(its, loud))
			insert_loss(&l, group, lost_to_word(its));
	}
	losses_drop_members(f, &l);
	return l.n;
}

unsigned
bottleneck_worst(const struct frame *f)
{
	return f->headline != NULL ? f->headline->scope : f->nscopes;
}
