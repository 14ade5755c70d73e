#include "app/run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "app/state.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "monitor/longrun.h"

bool
run_start(struct app *a, struct err *e)
{
	if (a->o->exec == NULL)
		return true;
	struct run *r = calloc(1, sizeof *r);

	a->run = r;
	if (r == NULL || !account_init(&r->account, a->source->info.topology))
		return err_set(e, ERR_FAIL, "out of memory");
	return child_start(&r->child, a->o->exec, &a->loop.wait, e);
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

void
run_frame(struct app *a)
{
	if (a->run != NULL)
		account_add(&a->run->account, a->frame);
}

bool
run_ended(struct app *a)
{
	return a->run != NULL && child_ended(&a->run->child);
}

bool
run_signal(struct app *a, int number)
{
	if (a->run == NULL || a->run->child.ended)
		return false;
	/* The terminal sends INT and QUIT to the command itself. */
	if (number == SIGTERM || number == SIGHUP)
		(void)kill(a->run->child.pid, number);
	return true;
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

/* ---- what is said in the end: totals, rates, and whose they are ---- */

enum { COUNT_SIZE = 32, METRICS_MAX = 48, METRICS_ACROSS = 9 };

/* Two clocks of one time; sets that took turns differ by far more. */
#define SAME_TIME 1.001

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void
print_cluster(const char *name, const struct account_row *r, double cpus,
	      double interval_s)
{
	double span = cpus * interval_s;

	(void)fprintf(stderr, "  %-8s %9.3f s", name, r->busy.busy);
	if (span > 0)
		(void)fprintf(stderr, " %5.1f%%", 100 * r->busy.busy / span);
	else
		(void)fprintf(stderr, "      -");
	if (r->ran_s > 0 && r->cycles > 0)
		(void)fprintf(stderr, " %6.2f",
			      (double)r->cycles / r->ran_s / 1e9);
	else
		(void)fprintf(stderr, "      -");
	if (r->cycles > 0)
		(void)fprintf(stderr, " %6.2f %17llu %17llu\n",
			      (double)r->instructions / (double)r->cycles,
			      (unsigned long long)r->cycles,
			      (unsigned long long)r->instructions);
	else
		(void)fprintf(stderr, " %6s %17s %17s\n", "-", "-", "-");
}

static struct account_row
print_clusters(const struct run *r, const struct topology *t)
{
	struct account_row all = { .cycles = 0 };

	(void)fprintf(stderr, "  %-8s %11s %6s %6s %6s %17s %17s\n", "cluster",
		      "busy", "busy%", "GHz~", "IPC", "cycles", "instructions");
	for (unsigned i = 0; i < t->nclusters; i++) {
		const struct account_row *row = &r->account.row[t->ncpus + i];

		print_cluster(t->cluster[i].label, row, t->cluster[i].ncpus,
			      r->account.interval_s);
		all.cycles += row->cycles;
		all.instructions += row->instructions;
		all.busy.busy += row->busy.busy;
		all.ran_s += row->ran_s;
	}
	if (t->nclusters > 1)
		print_cluster("all", &all, t->ncpus, r->account.interval_s);
	return all;
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
	double s = inst != NULL ? inst->time_s[row] : t->row[row].cpu_s;

	/* The fixed pair counts all modes, and goes on when sets change. */
	if ((inst == NULL && v->domain != DOMAIN_ALL) ||
	    s > v->time_s[row] * SAME_TIME || s * SAME_TIME < v->time_s[row])
		return 0;
	return inst != NULL ? inst->count[row] : t->row[row].instructions;
}

static void
print_event(const struct account *t, const struct account_event *v,
	    const char *cluster, unsigned row)
{
	char per_ki[COUNT_SIZE] = "-";
	uint64_t inst = instructions_beside(t, v, row);

	if (inst > 0)
		(void)snprintf(per_ki, sizeof per_ki, "%.3f",
			       1000.0 * (double)v->count[row] / (double)inst);
	(void)fprintf(stderr, "  %-36s %-6s %-8s %17llu %11s %11.3f\n", v->name,
		      domain_name[v->domain], cluster,
		      (unsigned long long)v->count[row], per_ki,
		      (double)v->count[row] / v->time_s[row] / 1e6);
}

static void
print_events(const struct run *r, const struct topology *t)
{
	if (r->account.nevents == 0)
		return;
	(void)fprintf(stderr, "  %-36s %-6s %-8s %17s %11s %11s\n", "event",
		      "modes", "cluster", "count", "/1000 inst", "M/CPU s");
	for (unsigned k = 0; k < r->account.nevents; k++) {
		const struct account_event *v = &r->account.event[k];

		for (unsigned i = 0; i < t->nclusters; i++)
			if (v->time_s[t->ncpus + i] > 0)
				print_event(&r->account, v, t->cluster[i].label,
					    t->ncpus + i);
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

	if (longrun_plan(run, INFINITY, 0, 1, &all) && all.n == 1)
		longrun_read(run, &all, m, scope, &v);
	return v;
}

static void
print_value(const struct metric *m, double v)
{
	if (isnan(v))
		(void)fprintf(stderr, " %8s", "-");
	else if (v >= 1e6)
		(void)fprintf(stderr, " %8.3g", v);
	else
		(void)fprintf(stderr, " %8.*f", m->decimals, v);
}

static void
print_metric_row(const struct longrun *run, const char *name, unsigned scope,
		 const struct metric *const *m, unsigned n)
{
	(void)fprintf(stderr, "  %-8s", name);
	for (unsigned i = 0; i < n; i++)
		print_value(m[i], value_of(run, m[i], scope));
	(void)fputs("\n", stderr);
}

static void
print_metrics(const struct app *a)
{
	const struct longrun *run = monitor_run(a->monitor);
	const struct topology *t = a->source->info.topology;
	const struct metric *all[METRICS_MAX], *m[METRICS_MAX];
	unsigned scopes = t->ncpus + t->nclusters, n = 0;
	unsigned nall = find_metrics(a, all);

	/* Of other CPUs than before there is no whole run. */
	if (run == NULL || a->run->moved)
		return;
	for (unsigned i = 0; i < nall; i++) {
		bool known = false;

		for (unsigned s = t->ncpus; s < scopes && !known; s++)
			known = !isnan(value_of(run, all[i], s));
		if (known)
			m[n++] = all[i];
	}
	for (unsigned from = 0; from < n; from += METRICS_ACROSS) {
		unsigned some =
			n - from < METRICS_ACROSS ? n - from : METRICS_ACROSS;

		(void)fprintf(stderr, "  %-8s", "cluster");
		for (unsigned i = 0; i < some; i++)
			(void)fprintf(stderr, " %8s", m[from + i]->label);
		(void)fputs("\n", stderr);
		for (unsigned i = 0; i < t->nclusters; i++)
			print_metric_row(run, t->cluster[i].label, t->ncpus + i,
					 m + from, some);
		if (t->nclusters > 1)
			print_metric_row(run, "all", scopes + t->nkinds,
					 m + from, some);
	}
}

/* Where nothing was counted there is no table: the reason stands for it. */
static bool
counted_any(const struct run *r)
{
	bool any = r->account.nevents > 0;

	for (unsigned i = 0; i < r->account.nrows && !any; i++)
		any = r->account.row[i].frames > 0;
	return any;
}

static void
print_share(const struct account_row *all)
{
	struct rusage use;

	if (getrusage(RUSAGE_CHILDREN, &use) != 0)
		return;
	double own = seconds(use.ru_utime) + seconds(use.ru_stime);

	(void)fprintf(
		stderr,
		"These counts are the whole machine's, not the command's alone: it took %.3f s of CPU time",
		own);
	if (all->busy.busy > 0)
		(void)fprintf(
			stderr,
			",\nall that ran %.3f s; about %.0f%% was the command's",
			all->busy.busy,
			own < all->busy.busy ? 100 * own / all->busy.busy
					     : 100.0);
	(void)fputs(".\n", stderr);
}

void
run_report(const struct app *a)
{
	const struct run *r = a->run;

	if (r == NULL || r->child.pid <= 0)
		return;
	if (r->account.frames == 0 || a->source == NULL)
		return;
	const struct topology *t = a->source->info.topology;
	char name[256];

	utf8_visible(name, sizeof name, a->o->exec[0]);
	(void)fprintf(stderr, "\nktop: %s ended with %d; %.3f s in %llu %s",
		      name, r->child.code, r->account.interval_s,
		      (unsigned long long)r->account.frames,
		      plural(r->account.frames, "frame", "frames"));
	if (a->source->info.simulated)
		(void)fputs("; SIMULATED counters", stderr);
	(void)fputs("\n", stderr);
	if (!counted_any(r)) {
		(void)fprintf(stderr, "  nothing was counted: %s\n",
			      a->source->info.why.text);
		return;
	}
	struct account_row all = print_clusters(r, t);

	print_metrics(a);
	print_events(r, t);
	print_share(&all);
}
