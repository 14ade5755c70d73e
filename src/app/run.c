#include "app/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "app/state.h"
#include "app/totals.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "process/signals.h"

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
	signals_hand_on(number, a->run->child.pid);
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
