/* Which cores the list has, and in which order. */
#include "ui/view.h"

#include "base/buf.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool
contains(const char *text, const char *part)
{
	size_t n = strlen(part);

	for (; *text != 0; text++) {
		size_t i = 0;

		while (i < n && text[i] != 0 &&
		       tolower((unsigned char)text[i]) ==
			       tolower((unsigned char)part[i]))
			i++;
		if (i == n)
			return true;
	}
	return n == 0;
}

/* "P" matches clusters P0 and P1, "7" the CPU 7, "perf" the kind's name. */
static bool
filter_matches(const struct view *v, unsigned cpu)
{
	const struct topology *t = v->f->topology;
	const struct topology_cpu *at = &t->cpu[cpu];
	char id[24];
	struct buf b = buf_over(id, sizeof id);

	if (v->filter[0] == 0)
		return true;
	buf_i64(&b, at->id);
	return strcmp(buf_cstr(&b), v->filter) == 0 ||
	       contains(t->cluster[at->cluster].label, v->filter) ||
	       (strlen(v->filter) > 2 &&
		contains(t->kind[at->kind].name, v->filter));
}

/* What row `cpu` sorts by; unknown values come last. */
static double
sort_key(const struct view *v, unsigned cpu)
{
	double value;

	if (v->sort == SORT_CPU)
		return (double)cpu;
	if (v->sort == COLUMN_BUSY)
		value = v->f->tally[cpu].busy_pct;
	else
		value = frame_value(v->f, cpu, (unsigned)v->sort);
	return isnan(value) ? INFINITY : -value;
}

static bool
comes_after(const struct view *v, unsigned a, unsigned b)
{
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
order_sort(struct view *v)
{
	static const unsigned gap[] = { 301, 132, 57, 23, 10, 4, 1 };

	for (unsigned g = 0; g < sizeof gap / sizeof *gap; g++)
		for (unsigned i = gap[g]; i < v->norder; i++) {
			unsigned held = v->order[i], at = i;

			while (at >= gap[g] &&
			       comes_after(v, v->order[at - gap[g]], held)) {
				v->order[at] = v->order[at - gap[g]];
				at -= gap[g];
			}
			v->order[at] = held;
		}
}

bool
view_order(struct view *v, struct err *e)
{
	unsigned n = v->f != NULL ? v->f->topology->ncpus : 0;

	if (n > v->order_room) {
		unsigned *grown = realloc(v->order, n * sizeof *grown);

		if (grown == NULL)
			return err_set(e, ERR_FAIL, "screen: out of memory");
		v->order = grown;
		v->order_room = n;
	}
	v->norder = 0;
	for (unsigned i = 0; i < n; i++)
		if (filter_matches(v, i))
			v->order[v->norder++] = i;
	if (v->sort >= (n > 0 ? (int)v->f->nmetrics : 0))
		v->sort = SORT_CPU;
	if (v->norder > 1 && (v->sort != SORT_CPU || v->reverse))
		order_sort(v);
	return true;
}
