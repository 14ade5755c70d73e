/* ktop compare: two recordings side by side. */
#include "app/command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/bootstrap.h"
#include "app/digest.h"
#include "app/report.h"
#include "base/buf.h"
#include "base/plural.h"
#include "source/replay.h"

enum verdict_of {
	COMPARE_STANDS_OUT,
	COMPARE_NOISE,
	COMPARE_TOO_FEW,
	COMPARE_NOT /* what they count is not the same */
};

static const char *const verdict_text[] = {
	[COMPARE_STANDS_OUT] = "stands out",
	[COMPARE_NOISE] = "within noise",
	[COMPARE_TOO_FEW] = "too few frames",
	[COMPARE_NOT] = "not compared",
};

struct pair {
	const struct digest *a, *b;
	int other[METRIC_MAX]; /* b's index of a's metric, -1: it has none */
	const char *hardware;  /* why like names may be unlike events, NULL */
	double *va, *vb;       /* room for kept values */
	struct report out;
};

struct line {
	const struct metric *metric;
	double a, b;
	enum verdict_of verdict;
	const char *why;  /* for COMPARE_NOT */
	const char *mark; /* compared, but with this in mind; NULL: nothing */
	struct bootstrap boot;
};

/* The row of b that is called the same, or -1. */
static int
row_of(const struct digest *b, const struct digest *a, unsigned row)
{
	char x[48], y[48];
	const char *level = digest_row_level(a, row);
	const char *name = digest_row_name(a, row, x, sizeof x);

	for (unsigned r = 0; r < b->nrows; r++)
		if (strcmp(digest_row_level(b, r), level) == 0 &&
		    strcmp(digest_row_name(b, r, y, sizeof y), name) == 0)
			return (int)r;
	return -1;
}

/*
 * Apple's names mean the same on all its chips. On Linux a name stands for what
 * comes nearest on that processor, which the recording does not spell out.
 */
static const char *
hardware_difference(const struct digest *a, const struct digest *b)
{
	const struct source_info *x = &a->source->info, *y = &b->source->info;
	bool px = strcmp(x->origin, "perf") == 0;
	bool py = strcmp(y->origin, "perf") == 0;

	if (!px && !py)
		return NULL;
	if (px != py)
		return "a Mac's event and its nearest on another processor";
	if (strcmp(x->model, y->model) != 0 || x->model[0] == '\0')
		return "other processors: the same name may be another event";
	return NULL;
}

/* Why the two cells are not the same measurement; NULL: they are. */
static const char *
difference_of(const struct pair *p, unsigned m, const struct digest_cell *a,
	      const struct digest_cell *b)
{
	const struct metric *metric = p->a->metric[m];
	char fa[256], fb[256];

	if (b == NULL || b->frames == 0 || isnan(b->value))
		return "only A has it";
	if (a->frames == 0 || isnan(a->value))
		return "only B has it";
	if (digest_is_fixed(metric))
		return NULL;
	if (strcmp(metric_formula(metric, p->a->source->info.catalog, fa,
				  sizeof fa),
		   metric_formula(metric, p->b->source->info.catalog, fb,
				  sizeof fb)) != 0)
		return "it is made of other events";
	if (a->domains != b->domains)
		return "its events count other modes";
	return NULL;
}

/* b's cell of a's metric, or NULL. */
static const struct digest_cell *
other_cell(const struct pair *p, unsigned rb, unsigned m)
{
	return p->other[m] < 0 ? NULL
			       : digest_at(p->b, rb, (unsigned)p->other[m]);
}

static struct line
line_of(struct pair *p, unsigned ra, unsigned rb, unsigned m)
{
	const struct digest_cell *a = digest_at(p->a, ra, m);
	const struct digest_cell *b = other_cell(p, rb, m);
	struct line l = { .metric = p->a->metric[m],
			  .a = a->value,
			  .b = b != NULL ? b->value : NAN,
			  .verdict = COMPARE_NOT };

	l.boot.difference = l.boot.low = l.boot.high = NAN;
	l.why = difference_of(p, m, a, b);
	if (l.why != NULL)
		return l;
	unsigned na = digest_values(p->a, ra, m, p->va);
	unsigned nb = digest_values(p->b, rb, (unsigned)p->other[m], p->vb);

	if (!digest_is_fixed(l.metric))
		l.mark = p->hardware;
	bootstrap_difference(p->va, na, p->vb, nb, &l.boot);
	if (!l.boot.enough) {
		l.boot.low = l.boot.high = NAN;
		l.verdict = COMPARE_TOO_FEW;
	} else if (l.boot.low > 0 || l.boot.high < 0) {
		l.verdict = COMPARE_STANDS_OUT;
	} else {
		l.verdict = COMPARE_NOISE;
	}
	return l;
}

static double
change_pct(const struct line *l)
{
	if (isnan(l->a) || isnan(l->b) || l->a <= 0)
		return NAN;
	return 100 * (l->b - l->a) / l->a;
}

/* ---- as text ---- */

static void
put(struct buf *b, double v, int decimals, bool sign, unsigned width)
{
	char text[40];
	struct buf n = buf_over(text, sizeof text);

	if (sign && v > 0)
		buf_char(&n, '+');
	buf_fixed(&n, v, decimals);
	if (isnan(v))
		buf_char(&n, '-');
	buf_char(b, ' ');
	for (size_t i = n.len + 1; i < width; i++)
		buf_char(b, ' ');
	buf_bytes(b, text, n.len);
}

static void
print_line(FILE *out, const struct line *l)
{
	char text[240];
	struct buf b = buf_over(text, sizeof text);
	int d = l->metric->event ? 0 : l->metric->decimals + 1;

	buf_str(&b, "  ");
	buf_str(&b, l->metric->name);
	buf_pad(&b, 0, 24);
	put(&b, l->a, d, false, 10);
	put(&b, l->b, d, false, 10);
	if (l->why == NULL) {
		put(&b, l->b - l->a, d, true, 10);
		put(&b, change_pct(l), 1, true, 8);
		buf_str(&b, isnan(change_pct(l)) ? " " : "%");
		put(&b, l->boot.low, d, true, 10);
		put(&b, l->boot.high, d, true, 10);
		buf_str(&b, "  ");
		buf_str(&b, verdict_text[l->verdict]);
		if (l->boot.enough)
			buf_printf(&b, " (blocks %u, %u)", l->boot.block_a,
				   l->boot.block_b);
		else
			buf_printf(&b, ": at least %u of each are needed",
				   l->boot.needs);
		if (l->mark != NULL)
			buf_str(&b, "  *");
	} else {
		buf_str(&b, "  not compared: ");
		buf_str(&b, l->why);
	}
	(void)fprintf(out, "%s\n", buf_cstr(&b));
}

static void
print_file(FILE *out, const char *letter, const struct digest *d)
{
	const struct source_info *i = &d->source->info;

	(void)fprintf(out, "%s: %s: %s (%s), %llu %s in %.10g s\n", letter,
		      d->name, i->model, i->origin,
		      (unsigned long long)d->frames,
		      plural(d->frames, "frame", "frames"), d->length_s);
}

static void
print_head(FILE *out, const struct pair *p)
{
	print_file(out, "A", p->a);
	print_file(out, "B", p->b);
	(void)fputs(
		"A, B: of the counts added up over all frames. low, high: "
		"where 99% of the\ndifferences of the frames' means lie, by a "
		"block bootstrap: frames are like their\nneighbours, so blocks "
		"of them are drawn (999 times, the same ones each time), as\n"
		"long as the autocorrelation lasts. A difference stands out "
		"when 0 is outside;\nabout one row in a hundred does so by "
		"chance. It takes 8 blocks of each: 32\nframes, and more where "
		"they are like their neighbours for longer.\n",
		out);
	if (p->hardware != NULL)
		(void)fprintf(out, "* %s\n", p->hardware);
}

/* ---- as rows ---- */

static void
report_line(struct report *out, const struct digest *d, unsigned row,
	    const struct line *l)
{
	char name[48];

	report_text(out, "row", digest_row_level(d, row));
	report_text(out, "name", digest_row_name(d, row, name, sizeof name));
	report_text(out, "kind", digest_row_kind(d, row));
	report_text(out, "metric", l->metric->name);
	report_text(out, "unit", metric_unit_name[l->metric->unit]);
	report_number(out, "a", l->a);
	report_number(out, "b", l->b);
	report_number(out, "difference", l->why == NULL ? l->b - l->a : NAN);
	report_number(out, "difference_pct",
		      l->why == NULL ? change_pct(l) : NAN);
	report_number(out, "mean_difference",
		      l->boot.enough ? l->boot.difference : NAN);
	report_number(out, "low", l->boot.low);
	report_number(out, "high", l->boot.high);
	report_count(out, "block_a", l->boot.block_a);
	report_count(out, "block_b", l->boot.block_b);
	report_text(out, "verdict", verdict_text[l->verdict]);
	report_text(out, "why",
		    l->why != NULL    ? l->why
		    : l->mark != NULL ? l->mark
				      : "");
	report_number(out, "needs",
		      l->verdict == COMPARE_TOO_FEW ? (double)l->boot.needs
						    : (double)NAN);
	report_end(out);
}

static void
compare_row(struct pair *p, unsigned ra, int rb)
{
	char name[48];
	bool text = p->out.form == REPORT_TEXT;

	if (text)
		(void)fprintf(p->out.out, "\n%s %s", digest_row_level(p->a, ra),
			      digest_row_name(p->a, ra, name, sizeof name));
	if (rb < 0) {
		if (text)
			(void)fprintf(p->out.out, ": only A has it\n");
		return;
	}
	if (text)
		(void)fprintf(p->out.out, "\n  %-22s %9s %9s %9s %9s %9s %9s\n",
			      "metric", "A", "B", "B - A", "", "low", "high");
	for (unsigned m = 0; m < p->a->nmetrics; m++) {
		struct line l;

		const struct digest_cell *b = other_cell(p, (unsigned)rb, m);

		if (digest_at(p->a, ra, m)->frames == 0 &&
		    (b == NULL || b->frames == 0))
			continue;
		l = line_of(p, ra, (unsigned)rb, m);
		if (text)
			print_line(p->out.out, &l);
		else
			report_line(&p->out, p->a, ra, &l);
	}
}

static void
compare_all(struct pair *p)
{
	char name[48];

	if (p->out.form == REPORT_TEXT)
		print_head(p->out.out, p);
	for (unsigned i = 0; i < p->a->nrows; i++) {
		unsigned ra = digest_order(p->a, i);

		compare_row(p, ra, row_of(p->b, p->a, ra));
	}
	for (unsigned i = 0; p->out.form == REPORT_TEXT && i < p->b->nrows;
	     i++) {
		unsigned rb = digest_order(p->b, i);

		if (row_of(p->a, p->b, rb) < 0)
			(void)fprintf(
				p->out.out, "\n%s %s: only B has it\n",
				digest_row_level(p->b, rb),
				digest_row_name(p->b, rb, name, sizeof name));
	}
}

static bool
compare(struct pair *p, const struct options *o, struct err *e)
{
	p->va = malloc((p->a->kept + 1) * sizeof *p->va);
	p->vb = malloc((p->b->kept + 1) * sizeof *p->vb);
	if (p->va == NULL || p->vb == NULL)
		return err_set(e, ERR_FAIL, "out of memory to compare");
	if (!report_open(&p->out, o, e))
		return false;
	compare_all(p);
	return report_close(&p->out, e);
}

static void
tell_notice(const struct digest *d)
{
	if (replay_notice(d->source)[0] != '\0')
		err_print("%s: %s", d->name, replay_notice(d->source));
}

/* The metrics of both: own events may be another's place in the other. */
static void
match(struct pair *p)
{
	p->hardware = hardware_difference(p->a, p->b);
	for (unsigned m = 0; m < p->a->nmetrics; m++) {
		p->other[m] = -1;
		for (unsigned k = 0; k < p->b->nmetrics; k++)
			if (strcmp(p->a->metric[m]->name,
				   p->b->metric[k]->name) == 0)
				p->other[m] = (int)k;
	}
}

int
command_compare(const struct options *o)
{
	struct err e = { ERR_NONE, "" };
	struct digest *a = NULL, *b = NULL;
	bool ok = false;

	if (o->nargs != 2)
		(void)err_set(&e, ERR_USAGE,
			      "compare needs two recordings, A and B");
	else if ((a = digest_new(&o->arg[0], 1, o, &e)) != NULL)
		b = digest_new(&o->arg[1], 1, o, &e);
	if (b != NULL) {
		struct pair p = { .a = a, .b = b };

		match(&p);
		tell_notice(a);
		tell_notice(b);
		ok = compare(&p, o, &e);
		free(p.va);
		free(p.vb);
	}
	digest_free(a);
	digest_free(b);
	return ok ? 0 : command_fail(&e);
}
