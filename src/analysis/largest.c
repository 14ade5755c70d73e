/* The lines of a comparison with the largest changes, and the cluster that
 * changed the machine's IPC most. */
#include "analysis/analysis.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
side_fixed_counts(const struct compare_side *side, unsigned row, double *cycles,
		  double *instructions)
{
	*cycles = *instructions = 0;
	for (unsigned i = 0; i < side->n; i++) {
		const struct compare_run *run = &side->run[i];

		if (run->row[row] < 0)
			continue;
		const struct account_row *r =
			&run->digest->account.row[run->row[row]];

		*cycles += (double)r->span.cycles;
		*instructions += (double)r->span.instructions;
	}
}

static double
row_part_of_cycles(const struct compare *c, unsigned row)
{
	unsigned all = c->a.run[0].digest->nrows - 1;
	double a, b, all_a, all_b, unused;

	side_fixed_counts(&c->a, row, &a, &unused);
	side_fixed_counts(&c->b, row, &b, &unused);
	side_fixed_counts(&c->a, all, &all_a, &unused);
	side_fixed_counts(&c->b, all, &all_b, &unused);
	if (!(all_a > 0) || !(all_b > 0))
		return 1;
	return (a / all_a + b / all_b) / 2;
}

/* Size of a change in units of the metric's bad minus good; half the relative
 * change if the metric has no such limits. */
static double
line_size(const struct compare_line *l)
{
	const struct metric *m = l->metric;
	double by = fabs(l->b - l->a);

	if (m->good < m->bad || m->bad < m->good)
		return by / fabs(m->bad - m->good);
	return l->a > 0 ? fmin(by / l->a, 1) / 2 : 0;
}

/* Work done, energy and traffic follow from the other metrics. */
static bool
metric_is_effect(const struct metric *m)
{
	return m->unit == UNIT_GIPS || m->unit == UNIT_WATTS ||
	       m->unit == UNIT_NJ || m->unit == UNIT_GBS;
}

struct ranked {
	unsigned at, class;
	double size;
};

static int
lines_by_rank(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->size < y->size || y->size < x->size)
		return x->size < y->size ? 1 : -1;
	return x->at < y->at ? -1 : x->at > y->at;
}

unsigned
compare_order(const struct compare *c, uint32_t levels, unsigned *to)
{
	const struct topology *t = c->a.run[0].digest->topology;
	struct ranked *rank = calloc((size_t)c->nlines + 1, sizeof *rank);
	unsigned n = 0;

	for (unsigned i = 0; rank != NULL && i < c->nlines; i++) {
		const struct compare_line *l = &c->line[i];

		if (l->metric == NULL || l->why != NULL ||
		    (levels >> scope_at(t, l->row).level & 1) == 0 ||
		    strcmp(l->name, "user_ipc") == 0) /* nearly ipc */
			continue;
		double size = line_size(l) * row_part_of_cycles(c, l->row);

		if (size > 0)
			rank[n++] = (struct ranked){ i,
						     2 * (unsigned)l->outcome +
							     metric_is_effect(
								     l->metric),
						     size };
	}
	if (n > 0)
		qsort(rank, n, sizeof *rank, lines_by_rank);
	for (unsigned i = 0; i < n; i++)
		to[i] = rank[i].at;
	free(rank);
	return n;
}

const struct compare_line *
compare_line_find(const struct compare *c, unsigned row, const char *metric)
{
	for (unsigned i = 0; i < c->nlines; i++)
		if (c->line[i].row == row && c->line[i].metric != NULL &&
		    c->line[i].why == NULL &&
		    strcmp(c->line[i].name, metric) == 0)
			return &c->line[i];
	return NULL;
}

/* A cluster's contribution to the change of the machine's IPC: by its IPC, and
 * by its share of the cycles. */
struct carried {
	double ipc, share, share_a, share_b;
};

static struct carried
cluster_carried(const struct compare *c, unsigned row)
{
	unsigned all = c->a.run[0].digest->nrows - 1;
	double ca, ia, cb, ib, all_ca, all_ia, all_cb, all_ib;
	struct carried x = { 0, 0, 0, 0 };

	side_fixed_counts(&c->a, row, &ca, &ia);
	side_fixed_counts(&c->b, row, &cb, &ib);
	side_fixed_counts(&c->a, all, &all_ca, &all_ia);
	side_fixed_counts(&c->b, all, &all_cb, &all_ib);
	if (!(ca > 0) || !(cb > 0))
		return x;
	x.share_a = ca / all_ca;
	x.share_b = cb / all_cb;
	x.ipc = (x.share_a + x.share_b) / 2 * (ib / cb - ia / ca);
	x.share = (ia / ca + ib / cb - all_ia / all_ca - all_ib / all_cb) / 2 *
		  (x.share_b - x.share_a);
	return x;
}

/* The row's metric that moved against its IPC: by outcome, then by size. */
static const struct compare_line *
line_moved_with(const struct compare *c, const struct compare_line *ipc)
{
	const struct compare_line *best = NULL;

	for (unsigned i = 0; i < c->nlines; i++) {
		const struct compare_line *l = &c->line[i];

		if (l->row != ipc->row || l->metric == NULL || l->why != NULL ||
		    !(l->metric->good < l->metric->bad) ||
		    !((l->b - l->a) * (ipc->b - ipc->a) < 0) ||
		    l->outcome >= COMPARE_SMALL)
			continue;
		if (best == NULL || l->outcome < best->outcome ||
		    (l->outcome == best->outcome &&
		     line_size(l) > line_size(best)))
			best = l;
	}
	return best;
}

void
compare_find_source(const struct compare *c, struct compare_source *out)
{
	const struct digest *a = c->a.run[0].digest;
	double all = 0;

	*out = (struct compare_source){ .ipc = compare_line_find(
						c, a->nrows - 1, "ipc") };
	for (unsigned k = 0; k < a->topology->nclusters; k++) {
		unsigned row = a->topology->ncpus + k;
		const struct compare_line *l = compare_line_find(c, row, "ipc");
		struct carried x = cluster_carried(c, row);
		double part = x.ipc + x.share;

		all += part;
		if (out->ipc == NULL || l == NULL ||
		    l->outcome >= COMPARE_SMALL ||
		    !(part * (out->ipc->b - out->ipc->a) > 0) ||
		    !(fabs(part) > fabs(out->part)))
			continue;
		out->from = l;
		out->part = part;
		out->share = x.share * part > x.ipc * part;
		out->share_a = x.share_a;
		out->share_b = x.share_b;
	}
	if (out->from == NULL)
		return;
	out->part /= all;
	out->with = out->share ? NULL : line_moved_with(c, out->from);
}
