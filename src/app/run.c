/* Prints and reports the totals of a run; starts the command. */
#include "app/state.h"
#include "app/machine_counter.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "process/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { COUNT_SIZE = 32, METRICS_MAX = 48, METRICS_ACROSS = 7 };

/* Least busy time in s for a clock rate: busy time grows in steps of 10 ms. */
#define CLOCK_S 0.1

/* Largest ratio of two times that count as the same time. */
#define SAME_TIME 1.001

/* A table with rows of clusters and their sum, or of runs. */
struct table {
	const struct app *a;
	const struct totals *t;
	const char *const *name;
	unsigned runs;
};

struct line {
	const char *name;
	const struct totals *t;
	unsigned first, n;
	unsigned scope;
	double cpus;
};

static struct line
line_at(const struct table *x, unsigned i)
{
	const struct topology *top = x->a->source->info.topology;

	if (x->name == NULL && i < top->nclusters)
		return (struct line){
			top->cluster[i].label, x->t,
			top->ncpus + i,        1,
			top->ncpus + i,        top->cluster[i].ncores
		};
	return (struct line){ x->name != NULL ? x->name[i] : "all",
			      x->name != NULL ? &x->t[i] : x->t,
			      top->ncpus,
			      top->nclusters,
			      top->ncpus + top->nclusters + top->nkinds,
			      top->ncpus };
}

/* A single cluster needs no row for its sum. */
static unsigned
count_lines(const struct table *x)
{
	unsigned n = x->a->source->info.topology->nclusters;

	return x->name != NULL ? x->runs : n + (n > 1);
}

static struct account_row
line_sum(const struct line *l)
{
	struct account_row all = { .frames = 0 };

	for (unsigned i = l->first; i < l->first + l->n; i++) {
		span_add(&all.span, &l->t->account->row[i].span);
		all.busy.busy += l->t->account->row[i].busy.busy;
	}
	/* The row was busy for less than a tick of the system's accounting. */
	if (all.busy.busy == 0 && all.span.cycles > 0)
		all.busy.busy = NAN;
	return all;
}

struct account_row
totals_sum(const struct app *a, const struct totals *t)
{
	const struct table x = { a, t, NULL, 0 };
	struct line all = line_at(&x, a->source->info.topology->nclusters);

	return line_sum(&all);
}

static void
print_run_row(FILE *out, const struct line *l)
{
	struct account_row r = line_sum(l);
	const struct span *s = &r.span;
	double all_s = l->cpus * l->t->account->interval_s;

	if (isnan(r.busy.busy))
		fprintf(out, "  %-8s %11s", l->name, "-");
	else
		fprintf(out, "  %-8s %9.3f s", l->name, r.busy.busy);
	if (all_s > 0 && !isnan(r.busy.busy))
		fprintf(out, " %5.1f%%", 100 * r.busy.busy / all_s);
	else
		fprintf(out, "      -");
	if (s->busy_ns >= CLOCK_S * 1e9 && s->cycles > 0)
		fprintf(out, " %6.2f", (double)s->cycles / s->busy_ns);
	else
		fprintf(out, "      -");
	if (s->cycles > 0)
		fprintf(out, " %6.2f %17llu %17llu\n",
			(double)s->instructions / (double)s->cycles,
			(unsigned long long)s->cycles,
			(unsigned long long)s->instructions);
	else
		fprintf(out, " %6s %17s %17s\n", "-", "-", "-");
}

/* Instructions that were counted during the same time and in the same modes as
 * the event v; 0: unknown. */
static uint64_t
instructions_beside(const struct account *t, const struct account_event *v,
		    unsigned row)
{
	const struct account_event *inst = NULL;

	for (unsigned i = 0; i < t->nevents && inst == NULL; i++)
		if (t->event[i].domain == v->domain &&
		    strcmp(t->event[i].name, "INST_ALL") == 0)
			inst = &t->event[i];
	double s = inst != NULL ? inst->time_s[row]
				: t->row[row].span.cpu_ns / 1e9;

	/* Fixed counters count all modes, and during event changes. */
	if ((inst == NULL && v->domain != DOMAIN_ALL) ||
	    s > v->time_s[row] * SAME_TIME || s * SAME_TIME < v->time_s[row])
		return 0;
	return inst != NULL ? inst->count[row] : t->row[row].span.instructions;
}

static void
print_run_event(FILE *out, const struct line *l, unsigned k)
{
	const struct account_event *v = &l->t->account->event[k];
	char per_ki[COUNT_SIZE] = "-";
	double inst = 0, time_s = 0; /* inst is NAN if unknown for some row */
	uint64_t count = 0;

	for (unsigned i = l->first; i < l->first + l->n; i++) {
		uint64_t beside = instructions_beside(l->t->account, v, i);

		if (!(v->time_s[i] > 0))
			continue;
		count += v->count[i];
		time_s += v->time_s[i];
		inst += beside > 0 ? (double)beside : (double)NAN;
	}
	if (!(time_s > 0))
		return;
	if (inst > 0)
		snprintf(per_ki, sizeof per_ki, "%.3f",
			 1000.0 * (double)count / inst);
	fprintf(out, "  %-36s %-6s %-8s %17llu %11s %11.3f\n", v->name,
		domain_name[v->domain], l->name, (unsigned long long)count,
		per_ki, (double)count / time_s / 1e6);
}

static void
print_events(FILE *out, const struct table *x)
{
	unsigned n = x->name != NULL ? x->runs
				     : x->a->source->info.topology->nclusters;

	if (x->name == NULL && x->t->account->nevents == 0)
		return;
	fprintf(out, "  %-36s %-6s %-8s %17s %11s %11s\n", "event", "modes",
		x->name != NULL ? "" : "cluster", "count", "/1000 inst",
		"M/CPU s");
	for (unsigned k = 0; k < x->t->account->nevents; k++)
		for (unsigned i = 0; i < n; i++) {
			struct line l = line_at(x, i);

			if (k < l.t->account->nevents)
				print_run_event(out, &l, k);
		}
}

static bool
is_metric_possible(const struct app *a, const struct metric *m)
{
	const struct frame *f = a->frame;

	for (unsigned i = 0; f != NULL && i < f->nmetrics; i++)
		for (unsigned s = 0; a->metric[i] == m && s < f->nscopes; s++)
			if (frame_state(f, s, i) != VALUE_UNSUPPORTED)
				return true;
	return false;
}

static unsigned
find_counted_metrics(const struct app *a, const struct metric *out[METRICS_MAX])
{
	int now = user_preset_find(&a->user, a->counting.set.name);
	unsigned n = 0, presets = a->rotation.n > 0 ? a->rotation.n : now >= 0;

	for (unsigned p = 0; p < presets; p++) {
		const struct preset *of = user_preset(
			&a->user,
			a->rotation.n > 0 ? a->rotation.preset[p] : now);

		for (unsigned i = 0; i < PRESET_METRICS && n < METRICS_MAX &&
				     of->metrics[i] != NULL;
		     i++) {
			const struct metric *m =
				user_metric_find(&a->user, of->metrics[i]);
			unsigned k = 0;

			while (k < n && out[k] != m)
				k++;
			if (m != NULL && k == n && is_metric_possible(a, m) &&
			    strcmp(m->name, "ipc") != 0 &&
			    strcmp(m->name, "ghz") != 0)
				out[n++] = m;
		}
	}
	return n;
}

static double
run_metric_value(const struct history *run, const struct metric *m,
		 unsigned scope)
{
	struct history_plan all;
	float v = NAN;

	if (run != NULL && history_run_plan(run, INFINITY, 0, 1, &all) &&
	    all.n == 1)
		history_run_read(run, &all, m, scope, &v);
	return v;
}

static void
print_run_value(FILE *out, const struct metric *m, double v)
{
	if (isnan(v))
		fprintf(out, " %8s", "-");
	else if (v >= 1e6)
		fprintf(out, " %8.3g", v);
	else
		fprintf(out, " %8.*f", m->decimals, v);
}

static unsigned
find_known(const struct app *a, const struct totals *t, unsigned n,
	   const struct metric *out[METRICS_MAX])
{
	const struct topology *top = a->source->info.topology;
	const struct metric *all[METRICS_MAX];
	unsigned nall = find_counted_metrics(a, all), known = 0;

	for (unsigned i = 0; i < nall; i++) {
		bool any = false;

		for (unsigned k = 0; k < n; k++)
			for (unsigned s = top->ncpus;
			     s < top->ncpus + top->nclusters; s++)
				any = any || !isnan(run_metric_value(
						     t[k].run, all[i], s));
		if (any)
			out[known++] = all[i];
	}
	return known;
}

static void
print_metrics(FILE *out, const struct table *x, const char *first)
{
	const struct metric *m[METRICS_MAX];
	unsigned n = find_known(x->a, x->t, x->name != NULL ? x->runs : 1, m);

	for (unsigned from = 0; from < n; from += METRICS_ACROSS) {
		unsigned to =
			from + METRICS_ACROSS < n ? from + METRICS_ACROSS : n;

		fprintf(out, "  %-8s", first);
		for (unsigned k = from; k < to; k++)
			fprintf(out, " %8s", m[k]->label);
		fputs("\n", out);
		for (unsigned i = 0; i < count_lines(x); i++) {
			struct line l = line_at(x, i);

			fprintf(out, "  %-8s", l.name);
			for (unsigned k = from; k < to; k++)
				print_run_value(out, m[k],
						run_metric_value(l.t->run, m[k],
								 l.scope));
			fputs("\n", out);
		}
	}
}

bool
totals_has_counts(const struct totals *t)
{
	bool any = t->account->nevents > 0;

	for (unsigned i = 0; i < t->account->nrows && !any; i++)
		any = t->account->row[i].frames > 0;
	return any;
}

void
totals_print(FILE *out, const struct app *a, const struct totals *t,
	     const char *const *name, unsigned runs, bool events)
{
	const struct table x = { a, t, name, runs };
	const char *first = name != NULL ? "" : "cluster";

	fprintf(out, "  %-8s %11s %6s %6s %6s %17s %17s\n", first, "busy",
		"busy%", "GHz~", "IPC", "cycles", "instructions");
	for (unsigned i = 0; i < count_lines(&x); i++) {
		struct line l = line_at(&x, i);

		print_run_row(out, &l);
	}
	print_metrics(out, &x, first);
	if (events)
		print_events(out, &x);
}

enum domain
totals_domain(const struct app *a)
{
	const struct source_info *i = &a->source->info;

	/* A Mac's fixed counters count all modes. */
	return strcmp(i->source, "perf") == 0 && i->domain != DOMAIN_NONE
		       ? i->domain
		       : DOMAIN_ALL;
}

/* NAN: not counted for some row of the account. */
static double
line_event_count(const struct line *l, const struct account_event *v)
{
	double all = 0;

	for (unsigned i = l->first; i < l->first + l->n; i++)
		all += v->time_s[i] > 0 ? (double)v->count[i] : (double)NAN;
	return all;
}

struct teller {
	void (*value)(void *self, const struct totals_value *v);
	void *self;
};

static void
report_total(const struct teller *to, const char *name, const char *unit,
	     const char *cluster, enum domain domain, double value)
{
	to->value(to->self,
		  &(struct totals_value){ name, unit, cluster, domain, value });
}

void
totals_each(const struct app *a, const struct totals *t,
	    void (*value)(void *self, const struct totals_value *v), void *self)
{
	const struct table x = { a, t, NULL, 0 };
	const struct teller to = { value, self };
	const struct metric *m[METRICS_MAX];
	unsigned clusters = a->source->info.topology->nclusters;
	unsigned n = find_known(a, t, 1, m);
	enum domain pair = totals_domain(a);

	for (unsigned i = 0; i <= clusters; i++) {
		struct line l = line_at(&x, i);
		const char *where = i < clusters ? l.name : "";
		struct account_row r = line_sum(&l);
		bool none = r.span.cycles == 0;

		report_total(&to, "busy", "s", where, DOMAIN_NONE, r.busy.busy);
		report_total(&to, "cycles", "count", where, pair,
			     none ? (double)NAN : (double)r.span.cycles);
		report_total(&to, "instructions", "count", where, pair,
			     none ? (double)NAN : (double)r.span.instructions);
	}
	for (unsigned k = 0; k < n; k++)
		for (unsigned i = 0; i <= clusters; i++) {
			struct line l = line_at(&x, i);

			report_total(&to, m[k]->name,
				     metric_unit_name[m[k]->unit],
				     i < clusters ? l.name : "",
				     a->source->info.domain,
				     run_metric_value(t->run, m[k], l.scope));
		}
	for (unsigned k = 0; k < t->account->nevents; k++)
		for (unsigned i = 0; i <= clusters; i++) {
			const struct account_event *v = &t->account->event[k];
			struct line l = line_at(&x, i);

			report_total(&to, v->name, "count",
				     i < clusters ? l.name : "", v->domain,
				     line_event_count(&l, v));
		}
}

bool
run_start(struct app *a, struct err *e)
{
	if (a->o->cmd.exec == NULL)
		return true;
	struct run *r = calloc(1, sizeof *r);

	a->run = r;
	if (r == NULL || !account_init(&r->account, a->source->info.topology))
		return err_set(e, ERR_FAIL, "out of memory");
	if (!child_prepare(&r->child, a->o->cmd.exec, &a->loop.wait,
			   a->loop.files, e))
		return false;
	int stop = signals_ending();

	/* The command may not have received the signal. */
	if (stop != 0) {
		child_discard(&r->child);
		r->child.code = 128 + stop;
		return false;
	}
	return child_exec(&r->child, a->o->cmd.exec[0], e);
}

bool
run_change_topology(struct app *a, const struct topology *was, struct err *e)
{
	if (a->run != NULL)
		a->run->moved = true;
	return a->run == NULL ||
	       account_move(&a->run->account, a->source->info.topology, was) ||
	       err_set(e, ERR_FAIL, "out of memory");
}

bool
run_has_ended(struct app *a)
{
	return a->run != NULL && child_ended(&a->run->child);
}

int
run_code(const struct app *a)
{
	return a->run != NULL ? a->run->child.code : 0;
}

void
run_free(struct app *a)
{
	if (a->run == NULL)
		return;
	account_free(&a->run->account);
	free(a->run);
	a->run = NULL;
}

static double
timeval_to_s(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void
print_share(const struct account_row *all)
{
	struct rusage use;

	if (getrusage(RUSAGE_CHILDREN, &use) != 0)
		return;
	double own = timeval_to_s(use.ru_utime) + timeval_to_s(use.ru_stime);

	fprintf(stderr,
		"These counts are of the whole machine. The command used %.3f s of CPU time",
		own);
	if (all->busy.busy > 0)
		fprintf(stderr,
			",\nall programs together %.3f s; about %.0f%% of it was the command's",
			all->busy.busy,
			own < all->busy.busy ? 100 * own / all->busy.busy
					     : 100.0);
	fputs(".\n", stderr);
}

void
run_report(const struct app *a)
{
	const struct run *r = a->run;

	if (r == NULL || r->child.pid <= 0)
		return;
	if (r->account.frames == 0 || a->source == NULL)
		return;
	/* After a change of the CPUs, no history covers the whole run. */
	const struct totals t = { &r->account,
				  r->moved ? NULL : monitor_past(a->monitor) };
	struct account_row all = totals_sum(a, &t);
	char name[256];

	utf8_visible(name, sizeof name, a->o->cmd.exec[0]);
	fprintf(stderr, "\nktop: %s ended with %d; %.3f s in %llu %s", name,
		r->child.code, r->account.interval_s,
		(unsigned long long)r->account.frames,
		plural(r->account.frames, "sample", "samples"));
	if (a->source->info.simulated)
		fputs("; SIMULATED counters", stderr);
	fputs("\n", stderr);
	if (!totals_has_counts(&t)) {
		fprintf(stderr, "  nothing was counted: %s\n",
			a->source->info.why.text);
		return;
	}
	totals_print(stderr, a, &t, NULL, 0, true);
	print_share(&all);
}
