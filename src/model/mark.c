#include "model/mark.h"

#include <math.h>
#include <stddef.h>

/* What the table's limits of work per cycle are for. */
static const double table_width = 8;

/* Kinds whose width is not known: the fastest, and the others. */
static const double width_fastest = 8, width_others = 5;

/* A kind that never got far is not excused from more than this share. */
static const double reach_least = 0.5;

static int
kind_of(const struct frame *f, unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct topology *t = f->topology;

	switch (s->level) {
	case SCOPE_CORE:
		return (int)t->cpu[s->index].kind;
	case SCOPE_CLUSTER:
		return (int)t->cluster[s->index].kind;
	case SCOPE_KIND:
		return (int)s->index;
	case SCOPE_ALL:
		break;
	}
	return t->nkinds == 1 ? 0 : -1;
}

/* Of the table's limits, what this kind can be expected to do. */
static double
share_of_width(const struct metric *m, const struct frame *f, unsigned kind)
{
	unsigned width = f->topology->kind[kind].width;
	double share = (width > 0   ? width
			: kind == 0 ? width_fastest
				    : width_others) /
		       table_width;

	if (f->reached == NULL || !(f->reached[kind] > 0))
		return share;
	double good = m->good * share;

	return share * fmin(1, fmax(f->reached[kind] / good, reach_least));
}

bool
mark_of(const struct metric *m, const struct frame *f, unsigned scope,
	struct mark *out)
{
	double share = 1;

	*out = (struct mark){ m->good, m->bad };
	if (!(m->good < m->bad || m->good > m->bad))
		return false;
	if (m->unit == UNIT_PER_S && f->scope[scope].ncpus > 1)
		return false;
	if (m->of_width) {
		int kind = kind_of(f, scope);

		if (kind < 0)
			return false;
		share = share_of_width(m, f, (unsigned)kind);
	}
	out->good *= share;
	out->bad *= share;
	return true;
}

double
mark_over(const struct mark *mark, double v)
{
	if (isnan(v))
		return 0;
	if (mark->bad > mark->good)
		return mark->bad > 0 ? v / mark->bad : 0;
	return v > 0 ? mark->bad / v : INFINITY;
}

bool
mark_nearly(const struct mark *mark, double v)
{
	double from = mark->good + (mark->bad - mark->good) * 2 / 3;

	return mark->bad > mark->good ? v >= from : v <= from;
}
