/* Which rows the list has, and in which order. */
#include "ui/view/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a row sorts by; unknown values come last. */
static double
sort_key(const struct view *v, unsigned scope)
{
	double value;

	if (v->sort == SORT_CPU)
		return (double)scope;
	if (v->sort == COLUMN_BUSY)
		value = v->f->tally[scope].busy_pct;
	else
		value = frame_value(v->f, scope, (unsigned)v->sort);
	return isnan(value) ? INFINITY : -value;
}

/* The group's place: kinds as they are counted up, others by their number. */
static long
group_of(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;
	const struct scope *s = &v->f->scope[scope];

	if (s->level != SCOPE_CORE)
		return 0;
	switch (v->group) {
	case GROUP_CLUSTER:
		return (long)t->cpu[s->index].cluster;
	case GROUP_KIND:
		return (long)t->cpu[s->index].kind;
	case GROUP_DIE:
		return t->cpu[s->index].die;
	case GROUP_NONE:
		break;
	}
	return 0;
}

static bool
comes_after(const struct view *v, unsigned a, unsigned b)
{
	long ga = group_of(v, a), gb = group_of(v, b);

	if (ga != gb)
		return ga > gb;
	double ka = sort_key(v, a), kb = sort_key(v, b);

	if (isinf(ka) || isinf(kb) || ka < kb || ka > kb) {
		if (isinf(ka) != isinf(kb))
			return isinf(ka) != 0;
		if (!isinf(ka))
			return v->reverse ? ka < kb : ka > kb;
	}
	return a > b;
}

/* Shell's sort: in place, and near linear from one tick to the next. */
static void
order_sort(struct view *v, unsigned *order, unsigned n)
{
	static const unsigned gap[] = { 301, 132, 57, 23, 10, 4, 1 };

	for (unsigned g = 0; g < sizeof gap / sizeof *gap; g++)
		for (unsigned i = gap[g]; i < n; i++) {
			unsigned held = order[i], at = i;

			while (at >= gap[g] &&
			       comes_after(v, order[at - gap[g]], held)) {
				order[at] = order[at - gap[g]];
				at -= gap[g];
			}
			order[at] = held;
		}
}

bool
view_lists_cores(const struct view *v)
{
	return v->lay.panel[PANEL_CORES].h > 0 || v->kind == VIEW_DETAIL;
}

/* Clusters are sorted and pinned only where they are the list. */
static bool
orders_clusters(const struct view *v)
{
	return v->kind == VIEW_OVERVIEW;
}

static unsigned
ndies(const struct topology *t)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->ncpus; i++) {
		unsigned k = 0;

		while (k < i && t->cpu[k].die != t->cpu[i].die)
			k++;
		n += k == i;
	}
	return n;
}

unsigned
view_headings(const struct view *v)
{
	const struct topology *t = v->topology;

	if (t == NULL)
		return 0;
	switch (v->group) {
	case GROUP_CLUSTER:
		return t->nclusters;
	case GROUP_KIND:
		return t->nkinds;
	case GROUP_DIE:
		return ndies(t);
	case GROUP_NONE:
		break;
	}
	return 0;
}

static unsigned
heading_of(const struct view *v, long group)
{
	if (v->group == GROUP_CLUSTER)
		return frame_scope_cluster(v->f, (unsigned)group);
	if (v->group == GROUP_KIND)
		return frame_scope_kind(v->f, (unsigned)group);
	return VIEW_DIE | ((unsigned)group & VIEW_DIE_MASK);
}

/* Opens the sorted rest up for a heading before each group, from behind. */
static void
headings_insert(struct view *v, unsigned first)
{
	unsigned groups = 0, n = v->norder;

	if (v->group == GROUP_NONE || !view_lists_cores(v))
		return;
	for (unsigned i = first; i < n; i++)
		groups += i == first || group_of(v, v->order[i]) !=
						group_of(v, v->order[i - 1]);
	v->norder += groups;
	for (unsigned i = n, to = v->norder; i-- > first;) {
		long group = group_of(v, v->order[i]);
		bool begins =
			i == first || group_of(v, v->order[i - 1]) != group;

		v->order[--to] = v->order[i];
		if (begins)
			v->order[--to] = heading_of(v, group);
	}
}

static bool
room_for(struct view *v, unsigned n, struct err *e)
{
	if (n <= v->order_room)
		return true;
	unsigned *grown = realloc(v->order, n * sizeof *grown);

	if (grown == NULL)
		return err_set(e, ERR_FAIL, "screen: out of memory");
	v->order = grown;
	v->order_room = n;
	return true;
}

/* Pins that are rows of this list, in the order they were pinned. */
static unsigned
take_pinned(struct view *v, enum scope_level level)
{
	unsigned n = 0;

	for (unsigned i = 0; i < v->npins; i++)
		if (v->pin[i] < v->f->nscopes &&
		    v->f->scope[v->pin[i]].level == level)
			v->order[n++] = v->pin[i];
	return n;
}

/* At most half of what is shown stays. */
static void
pins_bound(struct view *v, unsigned pinned)
{
	unsigned page = (unsigned)view_page(v);

	v->npinned = pinned < page / 2 ? pinned : page / 2;
}

bool
view_order(struct view *v, struct err *e)
{
	const struct topology *t = v->f != NULL ? v->f->topology : NULL;
	bool cores = view_lists_cores(v);

	v->norder = v->npinned = v->nmatch = 0;
	if (t == NULL)
		return true;
	unsigned n = cores ? t->ncpus : t->nclusters;
	unsigned from = cores ? 0 : frame_scope_cluster(v->f, 0);
	bool chosen = cores || orders_clusters(v);

	if (!room_for(v, t->ncpus + t->nclusters + VIEW_PINS + view_headings(v),
		      e))
		return false;
	if (v->sort >= (int)v->f->nmetrics)
		v->sort = SORT_CPU;
	unsigned pinned =
		chosen ? take_pinned(v, cores ? SCOPE_CORE : SCOPE_CLUSTER) : 0;

	v->norder = pinned;
	for (unsigned i = from; i < from + n; i++) {
		bool match = !chosen || view_filter_matches(v, i);

		v->nmatch += match;
		if (match && !(chosen && view_pinned(v, i)))
			v->order[v->norder++] = i;
	}
	if (chosen &&
	    (v->sort != SORT_CPU || v->reverse || v->group != GROUP_NONE))
		order_sort(v, v->order + pinned, v->norder - pinned);
	headings_insert(v, pinned);
	pins_bound(v, pinned);
	return true;
}

unsigned
view_line(const struct view *v, unsigned i)
{
	return i < v->npinned ? i : v->top + i;
}
