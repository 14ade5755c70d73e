#include "commands/report.h"

#include <math.h>

static void
answer_print_certainty(FILE *out, const struct compare *c,
		       const struct compare_line *l)
{
	if (l->outcome == COMPARE_DIFFERS)
		fprintf(out, ": more than noise");
	else if (l->outcome == COMPARE_TOO_FEW)
		fprintf(out, "; the %s are too few to tell it from noise",
			c->runs ? "runs" : "samples");
	else if (l->outcome == COMPARE_DRIFTS)
		fprintf(out, "; it drifts: compare several runs");
	else if (l->outcome == COMPARE_SMALL)
		fprintf(out, ", less than --at-least");
	fprintf(out, ".\n");
}

static void
answer_print_change(FILE *out, const struct compare *c,
		    const struct compare_line *l, const char *what)
{
	double pct = l != NULL ? compare_change_pct(l) : NAN;

	if (isnan(pct))
		return;
	if (l->outcome == COMPARE_NOISE) {
		fprintf(out,
			"%s shows no difference in B; up to %.1f%% may be missed.\n",
			what, compare_missed_pct(l));
	} else if (!(fabs(pct) >= 0.05)) {
		fprintf(out, "%s is the same in both.\n", what);
	} else {
		fprintf(out, "%s is %.1f%% %s in B", what, fabs(pct),
			pct < 0 ? "lower" : "higher");
		answer_print_certainty(out, c, l);
	}
}

static void
answer_put_move(struct buf *b, const struct compare_line *l)
{
	buf_printf(b, "%s from %s to ", l->b < l->a ? "fell" : "rose",
		   FIXED(l->a, l->decimals));
	buf_printf(b, "%s", FIXED(l->b, l->decimals));
}

static void
answer_print_source(FILE *out, const struct compare *c,
		    const struct compare_source *s)
{
	struct digest_row is;
	char text[400];
	struct buf b = buf_over(text, sizeof text);

	if (s->from == NULL || s->ipc->outcome >= COMPARE_SMALL ||
	    !(fabs(compare_change_pct(s->ipc)) >= 1))
		return;
	digest_row(c->a.run[0].digest, s->from->row, &is);
	buf_printf(&b, "%s carries ", is.name);
	if (s->part < 0.995)
		buf_printf(&b, "%.0f%%", 100 * s->part);
	else
		buf_str(&b, "all");
	buf_str(&b, " of the difference: its ");
	if (s->share) {
		buf_printf(&b, "part of the cycles %s from %.0f%% to %.0f%%.",
			   s->share_b < s->share_a ? "fell" : "rose",
			   100 * s->share_a, 100 * s->share_b);
	} else {
		buf_str(&b, "IPC ");
		answer_put_move(&b, s->from);
		if (s->with == NULL) {
			buf_str(&b, "; no counted event moved with it.");
		} else {
			buf_printf(&b, ", and %s ", s->with->name);
			answer_put_move(&b, s->with);
			buf_str(&b, ".");
		}
	}
	report_wrap(out, buf_cstr(&b));
}

/* Returns the longest bottleneck of A (b: of B); -1: none. *pct: % of time. */
static int
answer_longest_word(const struct compare *c, unsigned row, bool b, double *pct)
{
	int most = -1;

	*pct = 0;
	for (unsigned i = 0; i < c->nlines; i++) {
		const struct compare_line *l = &c->line[i];
		double v = b ? l->b : l->a;

		if (l->row != row || l->metric != NULL ||
		    l->word == COMPARE_LOST || !(v > *pct))
			continue;
		*pct = v;
		most = l->word;
	}
	return most;
}

/* least % of a cluster's time with its main bottleneck */
static const double mostly_pct = 60;

static void
answer_print_shifts(FILE *out, const struct compare *c)
{
	const struct digest *d = c->a.run[0].digest;
	struct digest_row is;

	for (unsigned row = 0; row < d->nrows; row++) {
		double a, b;
		int in_a = answer_longest_word(c, row, false, &a);
		int in_b = answer_longest_word(c, row, true, &b);

		if (scope_at(d->topology, row).level != SCOPE_CLUSTER ||
		    in_a == in_b || a < mostly_pct || b < mostly_pct)
			continue;
		digest_row(d, row, &is);
		fprintf(out,
			"%s %s %.0f%% of its time in A, and %s %.0f%% of it in B.\n",
			is.name, bottleneck_words[in_a].said, a,
			bottleneck_words[in_b].said, b);
	}
}

void
compare_print_answer(FILE *out, const struct compare *c)
{
	struct compare_source source;

	compare_find_source(c, &source);
	answer_print_change(out, c, source.ipc, "The machine's IPC");
	answer_print_change(out, c,
			    compare_line_find(c, c->a.run[0].digest->nrows - 1,
					      "nj_per_instruction"),
			    "The CPUs' energy for the same instructions");
	answer_print_source(out, c, &source);
	answer_print_shifts(out, c);
}
