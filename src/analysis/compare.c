#include "analysis/analysis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/columns.h"
#include "model/stat.h"

int
compare_row(const struct digest *in, const struct digest *of, unsigned row)
{
	struct digest_row want, got;

	digest_row(of, row, &want);
	for (unsigned r = 0; r < in->nrows; r++) {
		digest_row(in, r, &got);
		if (strcmp(got.level, want.level) == 0 &&
		    strcmp(got.name, want.name) == 0)
			return (int)r;
	}
	return -1;
}

double
compare_change_pct(const struct compare_line *l)
{
	if (l->why != NULL || (l->metric == NULL && l->process == NULL) ||
	    isnan(l->b) || !(l->a > 0))
		return NAN;
	return 100 * (l->b - l->a) / l->a;
}

double
compare_missed_pct(const struct compare_line *l)
{
	return l->a > 0 ? 100 * fmax(fabs(l->of.low), fabs(l->of.high)) / l->a
			: (double)NAN;
}

/* Why an event of the two recordings may differ; NULL: it does not. On a Mac an
 * event name has one meaning. On Linux ktop maps it to the processor's nearest
 * event, which a recording does not name. */
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

/* The run's cell of A's row and metric; NULL: not measured. */
static const struct digest_cell *
run_cell(const struct compare_run *run, unsigned row, unsigned metric)
{
	const struct digest_cell *cell;

	if (run->row[row] < 0 || run->metric[metric] < 0)
		return NULL;
	cell = digest_at(run->digest, (unsigned)run->row[row],
			 (unsigned)run->metric[metric]);
	return cell->frames == 0 || isnan(cell->value) ? NULL : cell;
}

static unsigned
side_values(const struct compare_side *side, unsigned row, unsigned metric,
	    double *v)
{
	unsigned n = 0;

	for (unsigned i = 0; i < side->n; i++) {
		const struct digest_cell *cell =
			run_cell(&side->run[i], row, metric);

		if (cell != NULL)
			v[n++] = cell->value;
	}
	return n;
}

/* Why a run's metric is not that of A's first recording; NULL: it is. */
static const char *
metric_unlike(const struct compare *c, const struct compare_side *side,
	      unsigned row, unsigned metric, uint32_t *domains)
{
	const struct digest *first = c->a.run[0].digest;
	const struct metric *m = first->metric[metric];
	char fa[256], fb[256];

	for (unsigned i = 0; i < side->n; i++) {
		const struct compare_run *run = &side->run[i];
		const struct digest_cell *cell = run_cell(run, row, metric);

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
	why = metric_unlike(c, &c->a, row, metric, &domains);
	return why != NULL ? why
			   : metric_unlike(c, &c->b, row, metric, &domains);
}

struct workspace {
	double *v; /* memory for 4 series and the values of all runs */
	unsigned series;
};

/* If each side has one recording, the variance is that of its frames. */
static void
judge_frames(const struct compare *c, const struct workspace *workspace,
	     unsigned row, unsigned metric, struct compare_line *l)
{
	struct blocks_series s[2];
	bool enough = true;

	for (unsigned i = 0; i < 2; i++) {
		const struct compare_run *run =
			i == 0 ? &c->a.run[0] : &c->b.run[0];
		const struct digest *x = run->digest;
		double *num = workspace->v + (size_t)2 * i * workspace->series;
		double *den = num + workspace->series;
		unsigned n =
			digest_series(x, (unsigned)run->row[row],
				      (unsigned)run->metric[metric], num, den);

		s[i] = (struct blocks_series){ num, den, n,
					       i == 0 ? l->a : l->b };
		enough = enough && n * x->stride >= BLOCKS_SAMPLES_MIN;
	}
	l->na = s[0].n;
	l->nb = s[1].n;
	l->needs = BLOCKS_SAMPLES_MIN;
	l->outcome = COMPARE_TOO_FEW;
	if (!enough)
		return;
	bool drifts =
		!blocks_difference(&s[0], &s[1], 1 - COMPARE_LEVEL, &l->of);

	l->outcome = drifts && l->of.p <= COMPARE_LEVEL ? COMPARE_DRIFTS
							: COMPARE_NOISE;
}

/* With several recordings the variance comes from the runs. */
static void
judge_runs(const double *va, const double *vb, struct compare_line *l)
{
	struct estimate a, b;

	l->needs = COMPARE_RUNS_MIN;
	if (l->na < COMPARE_RUNS_MIN || l->nb < COMPARE_RUNS_MIN) {
		l->outcome = COMPARE_TOO_FEW;
		return;
	}
	student_mean(va, l->na, &a);
	student_mean(vb, l->nb, &b);
	l->a = a.value;
	l->b = b.value;
	student_difference(&a, &b, 1 - COMPARE_LEVEL, &l->of);
	l->outcome = COMPARE_NOISE;
}

static struct compare_line
empty_line(unsigned row, enum compare_outcome outcome)
{
	return (struct compare_line){
		.row = row,
		.outcome = outcome,
		.of = { NAN, NAN, NAN, NAN, NAN, NAN },
		.adjusted = NAN,
	};
}

static struct compare_line
compare_metric(const struct compare *c, const struct workspace *workspace,
	       unsigned row, unsigned metric)
{
	double *va = workspace->v + (size_t)4 * workspace->series,
	       *vb = va + c->a.n;
	struct compare_line l = empty_line(row, COMPARE_NOT);

	l.metric = c->a.run[0].digest->metric[metric];
	l.name = l.metric->name;
	l.unit = metric_unit_name[l.metric->unit];
	l.decimals = l.metric->event ? 0 : l.metric->decimals + 1;
	l.na = side_values(&c->a, row, metric, va);
	l.nb = side_values(&c->b, row, metric, vb);
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
		judge_frames(c, workspace, row, metric, &l);
	if (l.outcome != COMPARE_NOISE)
		l.of.low = l.of.high = l.of.p = l.of.df = NAN;
	return l;
}

static double
run_word_pct(const struct compare_run *run, unsigned row, int word)
{
	if (run->row[row] < 0)
		return NAN;
	const struct account *account = &run->digest->account;
	const struct account_row *r = &account->row[run->row[row]];
	const struct account_row *all = &account->row[account->nrows - 1];

	return word == COMPARE_LOST ? account_lost_pct(r, all)
				    : account_bottleneck_pct(r, (unsigned)word);
}

static double
side_word_pct(const struct compare_side *side, unsigned row, int word,
	      unsigned *n)
{
	double sum = 0;

	*n = 0;
	for (unsigned i = 0; i < side->n; i++) {
		double v = run_word_pct(&side->run[i], row, word);

		if (isnan(v))
			continue;
		sum += v;
		++*n;
	}
	return *n > 0 ? sum / *n : NAN;
}

/* Bottlenecks are not tested: they last for several frames, so frames are not
 * independent. */
static void
collect_bottlenecks(struct compare *c, unsigned row)
{
	for (int w = 0; w <= COMPARE_LOST; w++) {
		struct compare_line *l = &c->line[c->nlines];

		*l = empty_line(row, COMPARE_DESCRIBED);
		l->word = w;
		l->name = w < COMPARE_LOST ? c->word_name[w] : "lost_pct";
		l->unit = w < COMPARE_LOST ? "% of time"
					   : "% of the machine's slots";
		l->decimals = 1;
		l->a = side_word_pct(&c->a, row, w, &l->na);
		l->b = side_word_pct(&c->b, row, w, &l->nb);
		if (l->na == 0 || l->nb == 0)
			continue;
		if (!c->runs) {
			l->na = (unsigned)c->a.run[0].digest->frames;
			l->nb = (unsigned)c->b.run[0].digest->frames;
		}
		c->nlines++;
	}
}

static void
compare_collect(struct compare *c, const struct workspace *workspace)
{
	const struct digest *a = c->a.run[0].digest;

	for (unsigned i = 0; i < a->nrows; i++) {
		unsigned row = digest_order(a, i);

		for (unsigned m = 0; m < a->nmetrics; m++) {
			struct compare_line l =
				compare_metric(c, workspace, row, m);

			if (l.na > 0 || l.nb > 0)
				c->line[c->nlines++] = l;
		}
		collect_bottlenecks(c, row);
	}
}

static void
compare_adjust(struct compare *c, double *p, unsigned *work)
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
		l->outcome = fabs(compare_change_pct(l)) < c->at_least_pct
				     ? COMPARE_SMALL
				     : COMPARE_DIFFERS;
	}
}

static bool
compare_lines(struct compare *c, struct err *e)
{
	const struct digest *a = c->a.run[0].digest;
	size_t lines = (size_t)a->nrows * (a->nmetrics + COMPARE_LOST + 1);
	struct workspace workspace = { .series =
					       c->runs ? 0 : DIGEST_KEPT_MAX };
	double *p = malloc(lines * sizeof *p);
	unsigned *work = malloc(lines * sizeof *work);
	bool ok;

	workspace.v = malloc(((size_t)4 * workspace.series + c->a.n + c->b.n) *
			     sizeof *workspace.v);
	c->line = malloc(lines * sizeof *c->line);
	ok = p != NULL && work != NULL && workspace.v != NULL &&
	     c->line != NULL;
	if (!ok)
		err_set(e, ERR_FAIL, "out of memory for a comparison");
	if (ok) {
		compare_collect(c, &workspace);
		compare_adjust(c, p, work);
	}
	free(p);
	free(work);
	free(workspace.v);
	return ok;
}

struct named {
	const char *name;
	double most_cpu; /* the larger of A's and B's, in %; -1: unknown */
};

static bool
has_processes(const struct compare_side *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->run[i].digest->processes == NULL)
			return false;
	return true;
}

static double
process_value(const struct digest_processes *in, const struct digest_process *p,
	      unsigned value, const char *event)
{
	if (value == COMPARE_IPC)
		return digest_process_number(p, DIGEST_IPC);
	for (unsigned i = 0; event != NULL && i < in->nevents; i++)
		if (strcmp(in->event[i], event) == 0)
			return digest_process_rate(p, i);
	if (event != NULL || !(in->seconds > 0))
		return NAN;
	return value == COMPARE_CPU
		       ? 100 * digest_process_number(p, DIGEST_CPU_S) /
				 in->seconds
		       : digest_process_number(p, DIGEST_GINSTRUCTIONS) /
				 in->seconds;
}

/* Mean over the runs that have the value; *n: number of runs, or of frames if
 * each side has one run. */
static double
mean_of_process(const struct compare *c, const struct compare_side *s,
		const struct compare_line *l, unsigned value, unsigned *n)
{
	const char *event = value >= COMPARE_EVENTS ? l->name : NULL;
	double sum = 0;
	unsigned runs = 0;

	*n = 0;
	for (unsigned i = 0; i < s->n; i++) {
		const struct digest_processes *in = s->run[i].digest->processes;
		const struct digest_process *p =
			digest_process_named(in, l->process);
		double v = p != NULL ? process_value(in, p, value, event) : NAN;

		if (isnan(v))
			continue;
		sum += v;
		*n += c->runs ? 1 : (unsigned)p->frames;
		runs++;
	}
	return runs > 0 ? sum / runs : NAN;
}

static void
fill_process(const struct compare *c, const char *name, struct compare_line *to)
{
	static const char *const what[] = { "cpu_pct", "gips", "ipc" };
	static const char *const unit[] = { "%", "10^9/s", "ratio" };
	const struct digest_processes *first = c->a.run[0].digest->processes;

	for (unsigned k = 0; k < c->nvalues; k++) {
		struct compare_line *l = &to[k];
		bool event = k >= COMPARE_EVENTS;

		*l = empty_line(0, COMPARE_DESCRIBED);
		l->process = name;
		l->name = event ? first->event[k - COMPARE_EVENTS] : what[k];
		l->unit = event ? "per 1000 instructions" : unit[k];
		l->a = mean_of_process(c, &c->a, l, k, &l->na);
		l->b = mean_of_process(c, &c->b, l, k, &l->nb);
		if (event) {
			l->na = to[COMPARE_CPU].na;
			l->nb = to[COMPARE_CPU].nb;
		}
	}
}

static int
names_by_name(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->name,
		      ((const struct named *)b)->name);
}

static int
names_by_cpu(const void *a, const void *b)
{
	double x = ((const struct named *)a)->most_cpu;
	double y = ((const struct named *)b)->most_cpu;

	return x != y ? (x < y) - (x > y) : names_by_name(a, b);
}

static unsigned
names_count(const struct compare_side *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++) {
		digest_processes_by_name(s->run[i].digest->processes);
		n += s->run[i].digest->processes->n;
	}
	return n;
}

static unsigned
names_collect(const struct compare_side *s, struct named *to)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		for (unsigned k = 0; k < s->run[i].digest->processes->n; k++)
			to[n++].name = s->run[i].digest->processes->row[k].name;
	return n;
}

static unsigned
names_sort(struct compare *c, struct named *name, unsigned all)
{
	unsigned n = 0;

	if (all > 0)
		qsort(name, all, sizeof *name, names_by_name);
	for (unsigned i = 0; i < all; i++)
		if (n == 0 || strcmp(name[n - 1].name, name[i].name) != 0)
			name[n++] = name[i];
	for (unsigned i = 0; i < n; i++) {
		struct compare_line l = { .process = name[i].name };
		unsigned frames;
		double a = mean_of_process(c, &c->a, &l, COMPARE_CPU, &frames);
		double b = mean_of_process(c, &c->b, &l, COMPARE_CPU, &frames);

		name[i].most_cpu = fmax(fmax(a, b), -1); /* fmax ignores NAN */
	}
	if (n > 0)
		qsort(name, n, sizeof *name, names_by_cpu);
	return n;
}

static bool
compare_processes(struct compare *c, struct err *e)
{
	if (!has_processes(&c->a) || !has_processes(&c->b))
		return true;
	unsigned all = names_count(&c->a) + names_count(&c->b);
	struct named *name = calloc((size_t)all + 1, sizeof *name);

	c->nvalues = COMPARE_EVENTS + c->a.run[0].digest->processes->nevents;
	if (name != NULL) {
		unsigned n = names_collect(&c->a, name);

		all = n + names_collect(&c->b, name + n);
		c->nprocesses = names_sort(c, name, all);
		c->process = calloc((size_t)c->nprocesses * c->nvalues + 1,
				    sizeof *c->process);
	}
	for (unsigned i = 0; c->process != NULL && i < c->nprocesses; i++)
		fill_process(c, name[i].name,
			     &c->process[(size_t)i * c->nvalues]);
	free(name);
	return c->process != NULL ||
	       err_set(e, ERR_FAIL, "out of memory for a comparison");
}

/* Metrics match by name: the user's own may have other indices. */
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
side_match_rows(struct compare_side *side, const struct digest *a,
		struct err *e)
{
	for (unsigned i = 0; i < side->n; i++) {
		struct compare_run *run = &side->run[i];

		run->row = malloc(a->nrows * sizeof *run->row);
		if (run->row == NULL)
			return err_set(e, ERR_FAIL,
				       "out of memory for a comparison");
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
side_read(struct compare_side *side, const char *const *path, unsigned n,
	  const struct options *o, bool runs, struct err *e)
{
	side->run = calloc(n, sizeof *side->run);
	if (side->run == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a comparison");
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
side_free(struct compare_side *side)
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
	if (o->compare.vs != NULL) {
		struct options other = *o;

		other.source.mark = o->compare.vs;
		return side_read(&c->a, o->cmd.arg, 1, o, false, e) &&
		       side_read(&c->b, o->cmd.arg, 1, &other, false, e);
	}
	return side_read(&c->a, o->cmd.arg, na, o, c->runs, e) &&
	       side_read(&c->b, o->cmd.arg + na, o->cmd.nargs - na, o, c->runs,
			 e);
}

bool
compare_judge(struct compare *c, struct err *e)
{
	const struct digest *a = c->a.run[0].digest;

	if (!side_match_rows(&c->a, a, e) || !side_match_rows(&c->b, a, e))
		return false;
	for (unsigned w = 0; w < BOTTLENECK_COUNT; w++)
		snprintf(c->word_name[w], sizeof c->word_name[w],
			 "bottleneck_%s", bottleneck_words[w].word);
	find_hardware(c, &c->a);
	find_hardware(c, &c->b);
	return compare_lines(c, e) && compare_processes(c, e);
}

void
compare_free(struct compare *c)
{
	side_free(&c->a);
	side_free(&c->b);
	free(c->line);
	free(c->process);
}
