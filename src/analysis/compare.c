/* Two recordings side by side, or several runs of each. */
#include "analysis/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/digest_series.h"
#include "model/blocks.h"

int
compare_row(const struct digest *in, const struct digest *of, unsigned row)
{
	char x[48], y[48];
	const char *level = digest_row_level(of, row);
	const char *name = digest_row_name(of, row, x, sizeof x);

	for (unsigned r = 0; r < in->nrows; r++)
		if (strcmp(digest_row_level(in, r), level) == 0 &&
		    strcmp(digest_row_name(in, r, y, sizeof y), name) == 0)
			return (int)r;
	return -1;
}

double
compare_change_pct(const struct compare_line *l)
{
	if (l->why != NULL || l->metric == NULL || isnan(l->a) || isnan(l->b) ||
	    l->a <= 0)
		return NAN;
	return 100 * (l->b - l->a) / l->a;
}

double
compare_missed_pct(const struct compare_line *l)
{
	return l->a > 0 ? 100 * fmax(fabs(l->of.low), fabs(l->of.high)) / l->a
			: (double)NAN;
}

/* ---- is it the same measurement? ---- */

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

/* The cell of A's row and metric in a run; NULL where it was not measured. */
static const struct digest_cell *
cell_of(const struct compare_run *run, unsigned row, unsigned metric)
{
	const struct digest_cell *cell;

	if (run->row[row] < 0 || run->metric[metric] < 0)
		return NULL;
	cell = digest_at(run->digest, (unsigned)run->row[row],
			 (unsigned)run->metric[metric]);
	return cell->frames == 0 || isnan(cell->value) ? NULL : cell;
}

/* The values of the runs that have one into v [side->n]; how many. */
static unsigned
gather(const struct compare_side *side, unsigned row, unsigned metric,
       double *v)
{
	unsigned n = 0;

	for (unsigned i = 0; i < side->n; i++) {
		const struct digest_cell *cell =
			cell_of(&side->run[i], row, metric);

		if (cell != NULL)
			v[n++] = cell->value;
	}
	return n;
}

/* Why a run's metric is not that of the first of A; NULL: it is. */
static const char *
unlike(const struct compare *c, const struct compare_side *side, unsigned row,
       unsigned metric, uint32_t *domains)
{
	const struct digest *first = c->a.run[0].digest;
	const struct metric *m = first->metric[metric];
	char fa[256], fb[256];

	for (unsigned i = 0; i < side->n; i++) {
		const struct compare_run *run = &side->run[i];
		const struct digest_cell *cell = cell_of(run, row, metric);

		if (cell == NULL)
			continue;
		if (strcmp(metric_formula(m, first->source->info.catalog, fa,
					  sizeof fa),
			   metric_formula(m, run->digest->source->info.catalog,
					  fb, sizeof fb)) != 0)
			return "it is made of other events";
		if (*domains != 0 && cell->domains != *domains)
			return "its events count other modes";
		*domains = cell->domains;
	}
	return NULL;
}

static const char *
difference_of(const struct compare *c, unsigned row, unsigned metric,
	      const struct compare_line *l)
{
	const char *why;
	uint32_t domains = 0;

	if (l->nb == 0)
		return "only A has it";
	if (l->na == 0)
		return "only B has it";
	if (digest_is_fixed(l->metric))
		return NULL;
	why = unlike(c, &c->a, row, metric, &domains);
	return why != NULL ? why : unlike(c, &c->b, row, metric, &domains);
}

/* ---- judging a line ---- */

struct room {
	double *v; /* 4 series and the values of all runs, in one piece */
	unsigned series;
};

/* One of each: the frames say how much the value moves by itself. */
static void
judge_frames(const struct compare *c, const struct room *room, unsigned row,
	     unsigned metric, struct compare_line *l)
{
	struct blocks_series s[2];
	bool enough = true;

	for (unsigned i = 0; i < 2; i++) {
		const struct compare_run *run =
			i == 0 ? &c->a.run[0] : &c->b.run[0];
		const struct digest_series *x = run->digest->series;
		double *num = room->v + (size_t)2 * i * room->series;
		double *den = num + room->series;
		unsigned n = digest_series_get(x, (unsigned)run->row[row],
					       (unsigned)run->metric[metric],
					       num, den);

		s[i] = (struct blocks_series){ num, den, n,
					       i == 0 ? l->a : l->b };
		enough = enough &&
			 n * digest_series_stride(x) >= BLOCKS_SAMPLES_MIN;
	}
	l->na = s[0].n;
	l->nb = s[1].n;
	l->needs = BLOCKS_SAMPLES_MIN;
	l->verdict = COMPARE_TOO_FEW;
	if (!enough)
		return;
	bool drifts =
		!blocks_difference(&s[0], &s[1], 1 - COMPARE_LEVEL, &l->of);

	l->verdict = drifts && l->of.p <= COMPARE_LEVEL ? COMPARE_DRIFTS
							: COMPARE_NOISE;
}

/* Several: what happens within a run says little about the next one. */
static void
judge_runs(const double *va, const double *vb, struct compare_line *l)
{
	struct estimate a, b;

	l->needs = COMPARE_RUNS_MIN;
	if (l->na < COMPARE_RUNS_MIN || l->nb < COMPARE_RUNS_MIN) {
		l->verdict = COMPARE_TOO_FEW;
		return;
	}
	student_mean(va, l->na, &a);
	student_mean(vb, l->nb, &b);
	l->a = a.value;
	l->b = b.value;
	student_difference(&a, &b, 1 - COMPARE_LEVEL, &l->of);
	l->verdict = COMPARE_NOISE;
}

static struct compare_line
line_of(const struct compare *c, const struct room *room, unsigned row,
	unsigned metric)
{
	double *va = room->v + (size_t)4 * room->series, *vb = va + c->a.n;
	struct compare_line l = {
		.row = row,
		.metric = c->a.run[0].digest->metric[metric],
		.na = gather(&c->a, row, metric, va),
		.nb = gather(&c->b, row, metric, vb),
		.verdict = COMPARE_NOT,
		.of = { NAN, NAN, NAN, NAN, NAN, NAN },
		.adjusted = NAN,
	};

	l.a = l.na > 0 ? va[0] : NAN;
	l.b = l.nb > 0 ? vb[0] : NAN;
	l.why = difference_of(c, row, metric, &l);
	if (l.why != NULL)
		return l;
	if (!digest_is_fixed(l.metric))
		l.mark = c->hardware;
	if (c->runs)
		judge_runs(va, vb, &l);
	else
		judge_frames(c, room, row, metric, &l);
	if (l.verdict != COMPARE_NOISE)
		l.of.low = l.of.high = l.of.p = l.of.df = NAN;
	return l;
}

/* ---- verdicts ---- */

static double
said_of(const struct compare_run *run, unsigned row, int word)
{
	if (run->row[row] < 0)
		return NAN;
	const struct account_row *r = &run->digest->account.row[run->row[row]];

	return word == COMPARE_LOST
		       ? account_impact(r)
		       : account_verdict_pct(r, (enum verdict_word)word);
}

/* The mean of the runs that tell; *n of them. */
static double
said_by(const struct compare_side *side, unsigned row, int word, unsigned *n)
{
	double sum = 0;

	*n = 0;
	for (unsigned i = 0; i < side->n; i++) {
		double v = said_of(&side->run[i], row, word);

		if (isnan(v))
			continue;
		sum += v;
		++*n;
	}
	return *n > 0 ? sum / *n : NAN;
}

/*
 * How sure a shift is, nobody has measured: words last, so that frames tell
 * little of how much they change by themselves.
 */
static void
collect_verdicts(struct compare *c, unsigned row)
{
	for (int w = 0; w <= COMPARE_LOST; w++) {
		struct compare_line *l = &c->line[c->nlines];

		*l = (struct compare_line){ .row = row,
					    .word = w,
					    .verdict = COMPARE_DESCRIBED,
					    .of = { NAN, NAN, NAN, NAN, NAN,
						    NAN },
					    .adjusted = NAN };
		l->a = said_by(&c->a, row, w, &l->na);
		l->b = said_by(&c->b, row, w, &l->nb);
		if (l->na == 0 || l->nb == 0)
			continue;
		if (!c->runs) {
			l->na = (unsigned)c->a.run[0].digest->frames;
			l->nb = (unsigned)c->b.run[0].digest->frames;
		}
		c->nlines++;
	}
}

/* ---- all lines ---- */

static void
collect(struct compare *c, const struct room *room)
{
	const struct digest *a = c->a.run[0].digest;

	for (unsigned i = 0; i < a->nrows; i++) {
		unsigned row = digest_order(a, i);

		for (unsigned m = 0; m < a->nmetrics; m++) {
			struct compare_line l = line_of(c, room, row, m);

			if (l.na > 0 || l.nb > 0)
				c->line[c->nlines++] = l;
		}
		collect_verdicts(c, row);
	}
}

/* The verdicts, when all the rows that are judged together are known. */
static void
adjust(struct compare *c, double *p, unsigned *work)
{
	for (unsigned i = 0; i < c->nlines; i++) {
		p[i] = c->line[i].of.p;
		c->judged += isnan(p[i]) ? 0 : 1;
	}
	student_adjust(p, c->nlines, work);
	for (unsigned i = 0; i < c->nlines; i++) {
		struct compare_line *l = &c->line[i];

		l->adjusted = p[i];
		if (!(p[i] <= COMPARE_LEVEL))
			continue;
		l->verdict = fabs(compare_change_pct(l)) < c->at_least_pct
				     ? COMPARE_SMALL
				     : COMPARE_STANDS_OUT;
	}
}

static unsigned
series_room(const struct compare *c)
{
	const struct digest_series *a = c->a.run[0].digest->series;
	const struct digest_series *b = c->b.run[0].digest->series;

	if (a == NULL || b == NULL)
		return 0;
	return digest_series_room(a) > digest_series_room(b)
		       ? digest_series_room(a)
		       : digest_series_room(b);
}

static bool
compare(struct compare *c, struct err *e)
{
	const struct digest *a = c->a.run[0].digest;
	size_t lines = (size_t)a->nrows * (a->nmetrics + COMPARE_LOST + 1);
	struct room room = { .series = series_room(c) };
	double *p = malloc(lines * sizeof *p);
	unsigned *work = malloc(lines * sizeof *work);
	bool ok;

	room.v = malloc(((size_t)4 * room.series + c->a.n + c->b.n) *
			sizeof *room.v);
	c->line = malloc(lines * sizeof *c->line);
	ok = p != NULL && work != NULL && room.v != NULL && c->line != NULL;
	if (!ok)
		err_set(e, ERR_FAIL, "out of memory to compare");
	if (ok) {
		collect(c, &room);
		adjust(c, p, work);
	}
	free(p);
	free(work);
	free(room.v);
	return ok;
}

/* ---- the recordings ---- */

/* By their names: own events may be in another place elsewhere. */
static void
match_metrics(struct compare_run *run, const struct digest *a)
{
	for (unsigned m = 0; m < a->nmetrics; m++) {
		run->metric[m] = -1;
		for (unsigned k = 0; k < run->digest->nmetrics; k++)
			if (strcmp(a->metric[m]->name,
				   run->digest->metric[k]->name) == 0)
				run->metric[m] = (int)k;
	}
}

static bool
match(struct compare_side *side, const struct digest *a, struct err *e)
{
	for (unsigned i = 0; i < side->n; i++) {
		struct compare_run *run = &side->run[i];

		run->row = malloc(a->nrows * sizeof *run->row);
		if (run->row == NULL)
			return err_set(e, ERR_FAIL, "out of memory to compare");
		for (unsigned r = 0; r < a->nrows; r++)
			run->row[r] = compare_row(run->digest, a, r);
		match_metrics(run, a);
	}
	return true;
}

static void
find_hardware(struct compare *c, const struct compare_side *side)
{
	for (unsigned i = 0; i < side->n && c->hardware == NULL; i++)
		c->hardware = hardware_difference(c->a.run[0].digest,
						  side->run[i].digest);
}

static bool
read_side(struct compare_side *side, const char *const *path, unsigned n,
	  const struct options *o, bool runs, struct err *e)
{
	side->run = calloc(n, sizeof *side->run);
	if (side->run == NULL)
		return err_set(e, ERR_FAIL, "out of memory to compare");
	for (; side->n < n; side->n++) {
		struct digest *d =
			digest_new(&path[side->n], 1, o,
				   runs ? DIGEST_NO_FRAMES : DIGEST_SERIES, e);

		if (d == NULL)
			return false;
		side->run[side->n].digest = d;
	}
	return true;
}

static void
free_side(struct compare_side *side)
{
	for (unsigned i = 0; i < side->n; i++) {
		digest_free(side->run[i].digest);
		free(side->run[i].row);
	}
	free(side->run);
}

bool
compare_read(struct compare *c, const struct options *o, unsigned na,
	     struct err *e)
{
	return read_side(&c->a, o->cmd.arg, na, o, c->runs, e) &&
	       read_side(&c->b, o->cmd.arg + na, o->cmd.nargs - na, o, c->runs,
			 e);
}

bool
compare_judge(struct compare *c, struct err *e)
{
	const struct digest *a = c->a.run[0].digest;

	if (!match(&c->a, a, e) || !match(&c->b, a, e))
		return false;
	find_hardware(c, &c->a);
	find_hardware(c, &c->b);
	return compare(c, e);
}

void
compare_free(struct compare *c)
{
	free_side(&c->a);
	free_side(&c->b);
	free(c->line);
}
