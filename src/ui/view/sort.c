/* What rows can be sorted by, as a list to choose from. */
#include "ui/view/view.h"

enum { FIXED = 3 }; /* choices that are always there */

/* The order of CPUs, what rows begin with, the columns; in that order. */
static bool
is_choice(const struct view *v, int sort)
{
	if (sort == SORT_CPU || sort == v->main || sort == SORT_WORST)
		return true;
	for (unsigned i = 0; i < v->ncolumns; i++)
		if (v->column[i].metric == sort)
			return true;
	return false;
}

unsigned
view_sort_choices(const struct view *v)
{
	if (v->kind == VIEW_PROCESSES)
		return processes_choices(v->procs);
	return v->ncolumns + FIXED + !is_choice(v, v->sort);
}

int
view_sort_choice(const struct view *v, unsigned i)
{
	if (v->kind == VIEW_PROCESSES)
		return processes_choice(v->procs, i);
	if (i == 0)
		return SORT_CPU;
	if (i == 1)
		return v->main;
	if (i == 2)
		return SORT_WORST;
	/* What sorts now and is no column of this preset comes last. */
	return i - FIXED < v->ncolumns ? v->column[i - FIXED].metric : v->sort;
}

int
view_sort_now(const struct view *v)
{
	return v->kind == VIEW_PROCESSES ? v->procs->sort : v->sort;
}

void
view_sort_open(struct view *v, int arg)
{
	(void)arg;
	v->overlay = v->overlay == OVERLAY_SORT ? OVERLAY_NONE : OVERLAY_SORT;
	v->sort_at = 0;
	for (unsigned i = 0; i < view_sort_choices(v); i++)
		if (view_sort_choice(v, i) == view_sort_now(v))
			v->sort_at = (int)i;
}

void
view_sort_take(struct view *v, int i)
{
	bool listed = v->overlay == OVERLAY_SORT;

	v->overlay = OVERLAY_NONE;
	if (i < 0 || i >= (int)view_sort_choices(v))
		return;
	int sort = view_sort_choice(v, (unsigned)i);

	if (v->kind == VIEW_PROCESSES) {
		/* A title that is clicked again turns the order round. */
		if (!listed || sort != v->procs->sort)
			processes_sort(v->procs, sort);
		return;
	}

	v->reverse = v->reverse && sort == v->sort;
	v->sort = sort;
}

void
view_sort_worst(struct view *v)
{
	if (v->kind == VIEW_PROCESSES) {
		processes_worst(v->procs);
		return;
	}
	v->sort = v->sort == SORT_WORST ? SORT_CPU : SORT_WORST;
	v->reverse = false;
}
