/* ktop run: measures while a command runs, and says what was counted. */
#include "app/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/app.h"
#include "app/command.h"
#include "app/state.h"
#include "base/plural.h"
#include "base/utf8.h"

enum { COUNT_SIZE = 32 };

int
command_run(const struct options *o)
{
	struct err e;

	if (o->exec != NULL && o->exec[0] != NULL && o->exec[0][0] != '\0')
		return app_run(o);
	(void)err_set(&e, ERR_USAGE,
		      o->exec != NULL && o->exec[0] != NULL
			      ? "the command of run is an empty word; write "
				"ktop run -- CMD ARGS"
			      : "run needs a command: ktop run -- CMD ARGS");
	return command_fail(&e);
}

bool
run_start(struct app *a, struct err *e)
{
	if (a->o->exec == NULL)
		return true;
	struct run *r = calloc(1, sizeof *r);

	a->run = r;
	if (r == NULL || !totals_init(&r->totals, a->source->info.topology))
		return err_set(e, ERR_FAIL, "out of memory");
	if (child_start(&r->child, a->o->exec, &a->wait, e))
		return true;
	a->code = r->child.code;
	return false;
}

bool
run_machine(struct app *a, const struct topology *was, struct err *e)
{
	return a->run == NULL ||
	       totals_move(&a->run->totals, a->source->info.topology, was) ||
	       err_set(e, ERR_FAIL, "out of memory");
}

void
run_frame(struct app *a)
{
	if (a->run != NULL)
		totals_add(&a->run->totals, a->frame);
}

void
run_child(struct app *a)
{
	if (a->run != NULL && child_ended(&a->run->child))
		a->stop = true;
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

void
run_finish(struct app *a)
{
	struct run *r = a->run;

	if (r == NULL || r->child.pid <= 0)
		return;
	if (r->child.ended && !a->clock->stepped && a->source != NULL) {
		a->stop = false;
		app_sample(a); /* what was counted since the last tick */
	}
	while (!child_ended(&r->child)) {
		a->stop = false;
		app_wait(a, APP_FOR_EVER);
	}
	a->stop = true;
}

static double
seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static void
print_cluster(const char *name, const struct totals_row *r, double cpus,
	      double interval_s)
{
	double span = cpus * interval_s;

	(void)fprintf(stderr, "  %-8s %9.3f s", name, r->busy_s);
	if (span > 0)
		(void)fprintf(stderr, " %5.1f%%", 100 * r->busy_s / span);
	else
		(void)fprintf(stderr, "      -");
	if (r->busy_s > 0 && r->cycles > 0)
		(void)fprintf(stderr, " %6.2f",
			      (double)r->cycles / r->busy_s / 1e9);
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

static struct totals_row
print_clusters(const struct run *r, const struct topology *t)
{
	struct totals_row all = { .cycles = 0 };

	(void)fprintf(stderr, "  %-8s %11s %6s %6s %6s %17s %17s\n", "cluster",
		      "busy", "busy%", "GHz~", "IPC", "cycles", "instructions");
	for (unsigned i = 0; i < t->nclusters; i++) {
		const struct totals_row *row = &r->totals.row[t->ncpus + i];

		print_cluster(t->cluster[i].label, row, t->cluster[i].ncpus,
			      r->totals.interval_s);
		all.cycles += row->cycles;
		all.instructions += row->instructions;
		all.busy_s += row->busy_s;
	}
	if (t->nclusters > 1)
		print_cluster("all", &all, t->ncpus, r->totals.interval_s);
	return all;
}

/* The events' own denominator: instructions counted beside them. */
static const struct totals_event *
instructions_of(const struct totals *t, enum domain domain)
{
	for (unsigned i = 0; i < t->nevents; i++)
		if (t->event[i].domain == domain &&
		    strcmp(t->event[i].name, "INST_ALL") == 0)
			return &t->event[i];
	return NULL;
}

static void
print_event(const struct totals_event *v, const struct totals_event *inst,
	    const char *cluster, unsigned row)
{
	char per_ki[COUNT_SIZE] = "-";

	/* Of the same time only: sets may have taken turns. */
	if (inst != NULL && inst->count[row] > 0 &&
	    inst->time_s[row] <= v->time_s[row] * 1.0001 &&
	    inst->time_s[row] >= v->time_s[row] * 0.9999)
		(void)snprintf(per_ki, sizeof per_ki, "%.3f",
			       1000.0 * (double)v->count[row] /
				       (double)inst->count[row]);
	(void)fprintf(stderr, "  %-36s %-6s %-8s %17llu %11s %11.3f\n", v->name,
		      domain_name[v->domain], cluster,
		      (unsigned long long)v->count[row], per_ki,
		      (double)v->count[row] / v->time_s[row] / 1e6);
}

static void
print_events(const struct run *r, const struct topology *t)
{
	if (r->totals.nevents == 0)
		return;
	(void)fprintf(stderr, "  %-36s %-6s %-8s %17s %11s %11s\n", "event",
		      "modes", "cluster", "count", "/1000 inst", "M/CPU s");
	for (unsigned k = 0; k < r->totals.nevents; k++) {
		const struct totals_event *v = &r->totals.event[k];

		for (unsigned i = 0; i < t->nclusters; i++)
			if (v->time_s[t->ncpus + i] > 0)
				print_event(
					v,
					instructions_of(&r->totals, v->domain),
					t->cluster[i].label, t->ncpus + i);
	}
}

static void
print_share(const struct totals_row *all)
{
	struct rusage use;

	if (getrusage(RUSAGE_CHILDREN, &use) != 0)
		return;
	double own = seconds(use.ru_utime) + seconds(use.ru_stime);

	(void)fprintf(stderr,
		      "These counts are the whole machine's, not the "
		      "command's alone: it took %.3f s of CPU time",
		      own);
	if (all->busy_s > 0)
		(void)fprintf(stderr,
			      ",\nall that ran %.3f s; about %.0f%% was the "
			      "command's",
			      all->busy_s,
			      own < all->busy_s ? 100 * own / all->busy_s
						: 100.0);
	(void)fputs(".\n", stderr);
}

void
run_report(struct app *a)
{
	const struct run *r = a->run;

	if (r == NULL || r->child.pid <= 0)
		return;
	a->code = r->child.code;
	if (r->totals.frames == 0 || a->source == NULL)
		return;
	const struct topology *t = a->source->info.topology;
	char name[256];

	utf8_visible(name, sizeof name, a->o->exec[0]);
	(void)fprintf(stderr, "\nktop: %s ended with %d; %.3f s in %llu %s",
		      name, r->child.code, r->totals.interval_s,
		      (unsigned long long)r->totals.frames,
		      plural(r->totals.frames, "frame", "frames"));
	if (a->source->info.simulated)
		(void)fputs("; SIMULATED counters", stderr);
	(void)fputs("\n", stderr);
	struct totals_row all = print_clusters(r, t);

	print_events(r, t);
	print_share(&all);
}

void
run_free(struct app *a)
{
	if (a->run == NULL)
		return;
	totals_free(&a->run->totals);
	free(a->run);
	a->run = NULL;
}
