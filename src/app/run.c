/* What the machine did over a run: as tables, as values, around a command. */
#include "app/state.h"
#include "app/meanwhile.h"
#include "base/cells.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "monitor/longrun.h"
#include "process/signals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { COUNT_SIZE = 32, METRICS_MAX = 48, METRICS_ACROSS = 7 };

/* Busy time comes in steps of 10 ms: of less no clock is made. */
#define CLOCK_S 0.1

/* Two clocks of one time; sets that took turns differ by far more. */
#define SAME_TIME 1.001

static void
print_cluster(FILE *out, const char *name, const struct account_row *r,
	      double cpus, double interval_s)
{
	double all_s = cpus * interval_s;
	const struct span *s = &r->span;

	fprintf(out, "  %-8s %9.3f s", name, r->busy.busy);
	if (all_s > 0)
		fprintf(out, " %5.1f%%", 100 * r->busy.busy / all_s);
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

static void
add_row(struct account_row *to, const struct account_row *row)
{
	span_add(&to->span, &row->span);
	to->busy.busy += row->busy.busy;
}

struct account_row
totals_sum(const struct app *a, const struct totals *t)
{
	const struct topology *top = a->source->info.topology;
	struct account_row all = { .frames = 0 };

	for (unsigned i = 0; i < top->nclusters; i++)
		add_row(&all, &t->account->row[top->ncpus + i]);
	return all;
}

static void
print_head(FILE *out, const char *first)
{
	fprintf(out, "  %-8s %11s %6s %6s %6s %17s %17s\n", first, "busy",
		"busy%", "GHz~", "IPC", "cycles", "instructions");
}

static void
print_clusters(FILE *out, const struct app *a, const struct totals *t)
{
	const struct topology *top = a->source->info.topology;
	double interval_s = t->account->interval_s;
	struct account_row all = totals_sum(a, t);

	print_head(out, "cluster");
	for (unsigned i = 0; i < top->nclusters; i++)
		print_cluster(out, top->cluster[i].label,
			      &t->account->row[top->ncpus + i],
			      top->cluster[i].ncpus, interval_s);
	if (top->nclusters > 1)
		print_cluster(out, "all", &all, top->ncpus, interval_s);
}

/* The events' own denominator: instructions counted among them. */
static const struct account_event *
instructions_of(const struct account *t, enum domain domain)
{
	for (unsigned i = 0; i < t->nevents; i++)
		if (t->event[i].domain == domain &&
		    strcmp(t->event[i].name, "INST_ALL") == 0)
			return &t->event[i];
	return NULL;
}

/* Instructions of just the time and modes of the event; 0: unknown. */
static uint64_t
instructions_beside(const struct account *t, const struct account_event *v,
		    unsigned row)
{
	const struct account_event *inst = instructions_of(t, v->domain);
	double s = inst != NULL ? inst->time_s[row]
				: t->row[row].span.cpu_ns / 1e9;

	/* The fixed pair counts all modes, and goes on when sets change. */
	if ((inst == NULL && v->domain != DOMAIN_ALL) ||
	    s > v->time_s[row] * SAME_TIME || s * SAME_TIME < v->time_s[row])
		return 0;
	return inst != NULL ? inst->count[row] : t->row[row].span.instructions;
}

/* For a cluster, or for several together. */
struct event_sum {
	uint64_t count;
	double inst; /* NAN: unknown of one of them at least */
	double time_s;
};

static void
add_event(struct event_sum *to, const struct account *t,
	  const struct account_event *v, unsigned row)
{
	uint64_t inst = instructions_beside(t, v, row);

	if (!(v->time_s[row] > 0))
		return;
	to->count += v->count[row];
	to->time_s += v->time_s[row];
	to->inst += inst > 0 ? (double)inst : (double)NAN;
}

static void
print_event(FILE *out, const struct account_event *v, const char *where,
	    const struct event_sum *s)
{
	char per_ki[COUNT_SIZE] = "-";

	if (!(s->time_s > 0))
		return;
	if (s->inst > 0)
		snprintf(per_ki, sizeof per_ki, "%.3f",
			 1000.0 * (double)s->count / s->inst);
	fprintf(out, "  %-36s %-6s %-8s %17llu %11s %11.3f\n", v->name,
		domain_name[v->domain], where, (unsigned long long)s->count,
		per_ki, (double)s->count / s->time_s / 1e6);
}

static void
print_event_head(FILE *out, const char *where)
{
	fprintf(out, "  %-36s %-6s %-8s %17s %11s %11s\n", "event", "modes",
		where, "count", "/1000 inst", "M/CPU s");
}

static void
print_events(FILE *out, const struct app *a, const struct totals *t)
{
	const struct topology *top = a->source->info.topology;

	if (t->account->nevents == 0)
		return;
	print_event_head(out, "cluster");
	for (unsigned k = 0; k < t->account->nevents; k++) {
		const struct account_event *v = &t->account->event[k];

		for (unsigned i = 0; i < top->nclusters; i++) {
			struct event_sum one = { .count = 0 };

			add_event(&one, t->account, v, top->ncpus + i);
			print_event(out, v, top->cluster[i].label, &one);
		}
	}
}

/* All counted the same, and in the same order. */
static void
print_events_runs(FILE *out, const struct app *a, const struct totals *t,
		  const char *const *name, unsigned n)
{
	const struct topology *top = a->source->info.topology;

	print_event_head(out, "");
	for (unsigned k = 0; k < t->account->nevents; k++)
		for (unsigned r = 0; r < n && k < t[r].account->nevents; r++) {
			const struct account *of = t[r].account;
			struct event_sum all = { .count = 0 };

			for (unsigned i = 0; i < top->nclusters; i++)
				add_event(&all, of, &of->event[k],
					  top->ncpus + i);
			print_event(out, &of->event[k], name[r], &all);
		}
}

/* ---- the preset's metrics, of the whole run ---- */

static bool
is_printed_above(const struct metric *m)
{
	return strcmp(m->name, "ipc") == 0 || strcmp(m->name, "ghz") == 0;
}

/* What this machine cannot have is not on the screen, either. */
static bool
is_possible(const struct app *a, const struct metric *m)
{
	const struct frame *f = a->frame;

	for (unsigned i = 0; f != NULL && i < f->nmetrics; i++)
		for (unsigned s = 0; a->metric[i] == m && s < f->nscopes; s++)
			if (frame_state(f, s, i) != VALUE_UNSUPPORTED)
				return true;
	return false;
}

/* Those of the presets that were counted, each once. */
static unsigned
find_metrics(const struct app *a, const struct metric *out[METRICS_MAX])
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
			if (m != NULL && k == n && !is_printed_above(m) &&
			    is_possible(a, m))
				out[n++] = m;
		}
	}
	return n;
}

/* Sums over sums, as the screen derives them; NAN: not counted. */
static double
value_of(const struct longrun *run, const struct metric *m, unsigned scope)
{
	struct longrun_plan all;
	float v = NAN;

	if (run != NULL && longrun_plan(run, INFINITY, 0, 1, &all) &&
	    all.n == 1)
		longrun_read(run, &all, m, scope, &v);
	return v;
}

static void
print_value(FILE *out, const struct metric *m, double v)
{
	if (isnan(v))
		fprintf(out, " %8s", "-");
	else if (v >= 1e6)
		fprintf(out, " %8.3g", v);
	else
		fprintf(out, " %8.*f", m->decimals, v);
}

static void
print_metric_row(FILE *out, const struct longrun *run, const char *name,
		 unsigned scope, const struct metric *const *m, unsigned n)
{
	fprintf(out, "  %-8s", name);
	for (unsigned i = 0; i < n; i++)
		print_value(out, m[i], value_of(run, m[i], scope));
	fputs("\n", out);
}

static unsigned
scope_all(const struct topology *t)
{
	return t->ncpus + t->nclusters + t->nkinds;
}

/* Those that any of the runs has a value of. */
static unsigned
find_known(const struct app *a, const struct totals *t, unsigned n,
	   const struct metric *out[METRICS_MAX])
{
	const struct topology *top = a->source->info.topology;
	const struct metric *all[METRICS_MAX];
	unsigned nall = find_metrics(a, all), known = 0;

	for (unsigned i = 0; i < nall; i++) {
		bool any = false;

		for (unsigned k = 0; k < n; k++)
			for (unsigned s = top->ncpus;
			     s < top->ncpus + top->nclusters; s++)
				any = any ||
				      !isnan(value_of(t[k].run, all[i], s));
		if (any)
			out[known++] = all[i];
	}
	return known;
}

static void
print_labels(FILE *out, const char *first, const struct metric *const *m,
	     unsigned n)
{
	fprintf(out, "  %-8s", first);
	for (unsigned i = 0; i < n; i++)
		fprintf(out, " %*s%s",
			cells_wide(m[i]->label) < 8
				? 8 - (int)cells_wide(m[i]->label)
				: 0,
			"", m[i]->label);
	fputs("\n", out);
}

/* As many as fit on a line. */
static unsigned
across(unsigned n, unsigned from)
{
	return n - from < METRICS_ACROSS ? n - from : METRICS_ACROSS;
}

static void
print_metrics(FILE *out, const struct app *a, const struct totals *t)
{
	const struct topology *top = a->source->info.topology;
	const struct metric *m[METRICS_MAX];
	unsigned n = find_known(a, t, 1, m);

	for (unsigned from = 0; from < n; from += METRICS_ACROSS) {
		unsigned some = across(n, from);

		print_labels(out, "cluster", m + from, some);
		for (unsigned i = 0; i < top->nclusters; i++)
			print_metric_row(out, t->run, top->cluster[i].label,
					 top->ncpus + i, m + from, some);
		if (top->nclusters > 1)
			print_metric_row(out, t->run, "all", scope_all(top),
					 m + from, some);
	}
}

/* ---- all of it ---- */

bool
totals_any(const struct totals *t)
{
	bool any = t->account->nevents > 0;

	for (unsigned i = 0; i < t->account->nrows && !any; i++)
		any = t->account->row[i].frames > 0;
	return any;
}

void
totals_print(FILE *out, const struct app *a, const struct totals *t,
	     bool events)
{
	print_clusters(out, a, t);
	print_metrics(out, a, t);
	if (events)
		print_events(out, a, t);
}

void
totals_print_runs(FILE *out, const struct app *a, const struct totals *t,
		  const char *const *name, unsigned n, bool events)
{
	const struct topology *top = a->source->info.topology;
	const struct metric *m[METRICS_MAX];
	unsigned known = find_known(a, t, n, m);

	print_head(out, "");
	for (unsigned k = 0; k < n; k++) {
		struct account_row all = totals_sum(a, &t[k]);

		print_cluster(out, name[k], &all, top->ncpus,
			      t[k].account->interval_s);
	}
	for (unsigned from = 0; from < known; from += METRICS_ACROSS) {
		unsigned some = across(known, from);

		print_labels(out, "", m + from, some);
		for (unsigned k = 0; k < n; k++)
			print_metric_row(out, t[k].run, name[k], scope_all(top),
					 m + from, some);
	}
	if (events)
		print_events_runs(out, a, t, name, n);
}

/* ---- as values ---- */

enum domain
totals_domain(const struct app *a)
{
	const struct source_info *i = &a->source->info;

	/* A Mac's pair is of all modes, whatever the events are. */
	return strcmp(i->source, "perf") == 0 && i->domain != DOMAIN_NONE
		       ? i->domain
		       : DOMAIN_ALL;
}

struct teller {
	void (*value)(void *self, const struct totals_value *v);
	void *self;
};

static void
tell_row(const struct teller *to, const char *cluster,
	 const struct account_row *r, enum domain domain)
{
	bool counts = r->span.cycles > 0;
	const struct totals_value of[] = {
		{ "busy", "s", cluster, DOMAIN_NONE, r->busy.busy },
		{ "cycles", "count", cluster, domain,
		  counts ? (double)r->span.cycles : (double)NAN },
		{ "instructions", "count", cluster, domain,
		  counts ? (double)r->span.instructions : (double)NAN },
	};

	for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
		to->value(to->self, &of[i]);
}

static void
tell_event(const struct teller *to, const struct topology *top,
	   const struct account_event *v)
{
	struct totals_value one = { .name = v->name,
				    .unit = "count",
				    .domain = v->domain };
	double all = 0;

	for (unsigned i = 0; i < top->nclusters; i++) {
		bool has = v->time_s[top->ncpus + i] > 0;

		one.cluster = top->cluster[i].label;
		one.value =
			has ? (double)v->count[top->ncpus + i] : (double)NAN;
		to->value(to->self, &one);
		all += one.value;
	}
	one.cluster = "";
	one.value = all;
	to->value(to->self, &one);
}

static void
tell_metric(const struct teller *to, const struct app *a,
	    const struct totals *t, const struct metric *m)
{
	const struct topology *top = a->source->info.topology;
	struct totals_value one = { .name = m->name,
				    .unit = metric_unit_name[m->unit],
				    .domain = a->source->info.domain };

	for (unsigned i = 0; i < top->nclusters; i++) {
		one.cluster = top->cluster[i].label;
		one.value = value_of(t->run, m, top->ncpus + i);
		to->value(to->self, &one);
	}
	one.cluster = "";
	one.value = value_of(t->run, m, scope_all(top));
	to->value(to->self, &one);
}

void
totals_each(const struct app *a, const struct totals *t,
	    void (*value)(void *self, const struct totals_value *v), void *self)
{
	const struct topology *top = a->source->info.topology;
	const struct teller to = { value, self };
	struct account_row all = totals_sum(a, t);
	const struct metric *m[METRICS_MAX];
	unsigned n = find_known(a, t, 1, m);

	for (unsigned i = 0; i < top->nclusters; i++)
		tell_row(&to, top->cluster[i].label,
			 &t->account->row[top->ncpus + i], totals_domain(a));
	tell_row(&to, "", &all, totals_domain(a));
	for (unsigned i = 0; i < n; i++)
		tell_metric(&to, a, t, m[i]);
	for (unsigned i = 0; i < t->account->nevents; i++)
		tell_event(&to, top, &t->account->event[i]);
}

/* ---- around a command ---- */

bool
run_start(struct app *a, struct err *e)
{
	if (a->o->cmd.exec == NULL)
		return true;
	struct run *r = calloc(1, sizeof *r);

	a->run = r;
	if (r == NULL || !account_init(&r->account, a->source->info.topology))
		return err_set(e, ERR_FAIL, "out of memory");
	if (!child_hold_with(&r->child, a->o->cmd.exec, &a->loop.wait,
			     a->loop.files, e))
		return false;
	int stop = signals_ending();

	/* It may have come too early for the command to get it, too. */
	if (stop != 0) {
		child_drop(&r->child);
		r->child.code = 128 + stop;
		return false;
	}
	return child_go(&r->child, a->o->cmd.exec[0], e);
}

bool
run_machine(struct app *a, const struct topology *was, struct err *e)
{
	if (a->run != NULL)
		a->run->moved = true;
	return a->run == NULL ||
	       account_move(&a->run->account, a->source->info.topology, was) ||
	       err_set(e, ERR_FAIL, "out of memory");
}

bool
run_ended(struct app *a)
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

/* ---- what is said in the end: totals, and whose they are ---- */

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void
print_share(const struct account_row *all)
{
	struct rusage use;

	if (getrusage(RUSAGE_CHILDREN, &use) != 0)
		return;
	double own = seconds(use.ru_utime) + seconds(use.ru_stime);

	fprintf(stderr,
		"These counts are the whole machine's, not the command's alone: it took %.3f s of CPU time",
		own);
	if (all->busy.busy > 0)
		fprintf(stderr,
			",\nall that ran %.3f s; about %.0f%% was the command's",
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
	/* Of other CPUs than before there is no whole run. */
	const struct totals t = { &r->account,
				  r->moved ? NULL : monitor_run(a->monitor) };
	struct account_row all = totals_sum(a, &t);
	char name[256];

	utf8_visible(name, sizeof name, a->o->cmd.exec[0]);
	fprintf(stderr, "\nktop: %s ended with %d; %.3f s in %llu %s", name,
		r->child.code, r->account.interval_s,
		(unsigned long long)r->account.frames,
		plural(r->account.frames, "frame", "frames"));
	if (a->source->info.simulated)
		fputs("; SIMULATED counters", stderr);
	fputs("\n", stderr);
	if (!totals_any(&t)) {
		fprintf(stderr, "  nothing was counted: %s\n",
			a->source->info.why.text);
		return;
	}
	totals_print(stderr, a, &t, true);
	print_share(&all);
}
