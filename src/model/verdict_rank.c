#include "model/verdict_rank.h"

#include <math.h>
#include <stddef.h>

struct losses {
	struct verdict_loss *at;
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
		l->at[at] = (struct verdict_loss){ scope, lost };
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
worth_a_line(const struct verdict *v, bool loud)
{
	return verdict_loses((enum verdict_word)v->word) &&
	       v->shared >= least && (v->alarm || !loud);
}

unsigned
verdict_losses(const struct frame *f, bool loud, struct verdict_loss *out,
	       unsigned max)
{
	/* A sum of several is more than any of them. */
	static const double several = 1.00001;
	struct losses l = { out, 0, max };

	for (unsigned c = 0; f->verdict != NULL && c < f->topology->ncpus;
	     c++) {
		const struct verdict *one = &f->verdict[c];
		unsigned group =
			frame_scope_cluster(f, f->topology->cpu[c].cluster);
		const struct verdict *its = &f->verdict[group];

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
verdict_slower_by(const struct frame *f, unsigned scope,
		  const struct verdict *v)
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
slower(const struct frame *f, struct verdict_loss *out, unsigned max)
{
	struct losses l = { out, 0, max };

	for (unsigned c = 0; c < f->topology->ncpus; c++) {
		unsigned group =
			frame_scope_cluster(f, f->topology->cpu[c].cluster);
		unsigned s = f->verdict[group].before_s > 0 ? group : c;
		double by = verdict_slower_by(f, s, &f->verdict[s]);

		if (f->verdict[c].before_s > 0 && by > 0 && !has(&l, s))
			insert(&l, s, by);
	}
	return l.n;
}

unsigned
verdict_worst(const struct frame *f)
{
	/* Rows that lose about the same would take turns. */
	static const double stays = 1.25;
	struct verdict_loss loss[VERDICT_LOSSES];
	unsigned n = verdict_losses(f, true, loss, VERDICT_LOSSES);

	if (n == 0 && f->verdict != NULL)
		n = slower(f, loss, VERDICT_LOSSES);
	for (unsigned i = 0; i < n; i++)
		if (f->verdict[loss[i].scope].named &&
		    loss[i].lost * stays >= loss[0].lost)
			return loss[i].scope;
	return n > 0 ? loss[0].scope : f->nscopes;
}
