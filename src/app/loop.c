/* The tick: the only place where ktop sleeps. */
#include "app/state.h"

#include <errno.h>
#include <sys/select.h>

#include "process/signals.h"

enum {
	FIRST_NS = 200 * 1000 * 1000, /* first numbers soon, not after 10 s */
	MANY_CPUS = 256, /* more of them are not asked more often than: */
	MANY_NS = 500 * 1000 * 1000,
	SECOND_NS = 1000 * 1000 * 1000
};

struct wait_set {
	fd_set in, out;
	int max; /* -1: empty */
};

static void
wait_add(struct wait_set *w, fd_set *set, int fd)
{
	if (fd < 0 || fd >= FD_SETSIZE)
		return;
	FD_SET(fd, set);
	if (fd > w->max)
		w->max = fd;
}

/*
 * The first of two processes, where the source does not watch it: it keeps the
 * terminal, also of a replay. -1: there is none.
 */
static int
keeper_fd(const struct app *a)
{
	return a->source != NULL && a->source->info.watch == NULL &&
			       a->o->source.server > 0
		       ? a->o->source.server
		       : -1;
}

static void
wait_fill(const struct app *a, struct wait_set *w)
{
	FD_ZERO(&w->in);
	FD_ZERO(&w->out);
	w->max = -1;
	if (a->ui != NULL) {
		wait_add(w, &w->in, ui_input_fd(a->ui));
		wait_add(w, &w->out, ui_output_fd(a->ui));
	}
	for (unsigned i = 0; i < APP_OUTLETS; i++) {
		struct sink *s = a->outlet[i].sink;

		if (s != NULL)
			wait_add(w, &w->out, s->ops->waiting(s));
	}
	if (a->source != NULL && a->source->info.watch != NULL &&
	    !a->source->info.lost)
		wait_add(w, &w->in, *a->source->info.watch);
	wait_add(w, &w->in, keeper_fd(a));
}

/* Out of turn a source has nothing to say but that it is gone. */
static bool
source_gone(struct app *a, const struct wait_set *w)
{
	const int *watch = a->source != NULL ? a->source->info.watch : NULL;

	if (watch == NULL || a->source->info.lost || !FD_ISSET(*watch, &w->in))
		return false;
	app_sample(a);
	return a->stop;
}

/* It says nothing unasked: what can be read is its end. */
static bool
keeper_gone(struct app *a, const struct wait_set *w)
{
	int fd = keeper_fd(a);
	struct err e;

	if (fd < 0 || fd >= FD_SETSIZE || !FD_ISSET(fd, &w->in))
		return false;
	/* To give back a terminal that is another job's by now. */
	(void)signal(SIGTTOU, SIG_IGN);
	(void)err_set(&e, ERR_FAIL,
		      "the first of the two processes that sudo ktop is has "
		      "died; start ktop again, or without sudo to replay");
	app_fail(a, &e);
	return true;
}

/* Stopped by somebody else: the terminal may be anyhow, and anybody's. */
static void
go_on(struct app *a)
{
	app_yield(a);
	if (a->ui == NULL)
		return;
	ui_suspend(a->ui);
	ui_resume(a->ui);
	app_draw(a); /* after the last frame nothing else would */
}

static void
take_signals(struct app *a)
{
	int stop = signals_take(SIGNAL_STOP);

	if (stop != 0 && !run_signal(a, stop)) {
		a->stop = true;
		a->code = 128 + stop;
	}
	if (signals_take(SIGNAL_GO_ON) && a->ui != NULL)
		go_on(a);
	if (signals_take(SIGNAL_RESIZE) && a->ui != NULL) {
		ui_resized(a->ui);
		app_draw(a);
	}
	if (signals_take(SIGNAL_CHILD))
		run_child(a);
	if (signals_take(SIGNAL_MARK))
		app_mark(a);
	if (signals_take(SIGNAL_PAUSE))
		app_suspend(a);
}

bool
app_period_ok(const struct app *a, int64_t period_ns, struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->topology->ncpus <= MANY_CPUS || period_ns >= MANY_NS ||
	    a->o->force || i->simulated || i->ends)
		return true;
	return err_set(e, ERR_USAGE,
		       "%u CPUs, interrupted each %.0f times a second: choose "
		       "-d 500ms or longer, or --force",
		       i->topology->ncpus, 1e9 / (double)period_ns);
}

static int64_t
now_of(const struct clock *c)
{
	struct stamp s;

	clock_now(c, &s);
	return s.awake_ns;
}

void
app_wait(struct app *a, int64_t left_ns)
{
	struct wait_set w;
	struct timespec t = { 0, 0 };

	if (left_ns > 0) {
		t.tv_sec = (time_t)(left_ns / SECOND_NS);
		t.tv_nsec = (long)(left_ns % SECOND_NS);
	}
	wait_fill(a, &w);
	int n = pselect(w.max + 1, &w.in, &w.out, NULL,
			left_ns == APP_FOR_EVER ? NULL : &t, &a->wait);

	take_signals(a);
	if (n <= 0 || a->stop || source_gone(a, &w) || keeper_gone(a, &w))
		return;
	app_outlets_flush(a);
	if (a->ui != NULL && !ui_flush(a->ui)) {
		a->stop = true;
		a->code = 128 + SIGHUP;
	}
	if (a->ui != NULL && !a->stop)
		app_input(a);
}

bool
app_held_back(const struct app *a)
{
	if (a->ui != NULL && ui_output_fd(a->ui) >= 0)
		return true;
	for (unsigned i = 0; i < APP_OUTLETS; i++) {
		struct sink *s = a->outlet[i].sink;

		if (s != NULL && s->ops->waiting(s) >= 0)
			return true;
	}
	return false;
}

/*
 * A stepped clock jumps to the deadline; input and signals are only looked
 * at. It is slower than its outputs, so that no frame is ever lost to them.
 */
static void
step(struct app *a)
{
	app_wait(a, 0);
	while (!a->stop && app_held_back(a))
		app_wait(a, APP_FOR_EVER);
	if (!a->stop)
		a->clock->step(a->clock->self, ticker_deadline(&a->ticker));
}

static void
tick(struct app *a)
{
	uint64_t missed = 0;
	int64_t late_ns = 0, now = now_of(a->clock);

	if (!ticker_due(&a->ticker, now, &missed, &late_ns))
		return;
	if (!a->clock->stepped)
		monitor_late(a->monitor, missed, late_ns > a->period_ns / 2);
	app_sample(a);
	if (a->o->frames != 0 && a->frames >= a->o->frames)
		a->stop = true;
	else if (!a->stop)
		app_rotate(a);
	app_retake(a);
	app_draw(a);
	app_follow_machine(a);
}

/* --hold: the last screen stays. */
static void
hold(struct app *a)
{
	if (!a->o->hold || a->ui == NULL || a->code != 0)
		return;
	a->stop = false;
	a->holding = true;
	app_draw(a);
	while (!a->stop)
		app_wait(a, APP_FOR_EVER);
}

void
app_loop(struct app *a)
{
	int64_t now = now_of(a->clock);

	if (a->source->info.ends) {
		app_replay_loop(a);
		hold(a);
		return;
	}
	ticker_start(&a->ticker, now, a->period_ns);
	/* Who looks on has numbers soon; what is recorded is whole intervals.
	 */
	if (!a->clock->stepped && (a->screen || a->o->exec != NULL))
		ticker_soon(&a->ticker, now, FIRST_NS);
	app_draw(a);
	while (!a->stop) {
		if (a->clock->stepped)
			step(a);
		else
			app_wait(a, ticker_deadline(&a->ticker) -
					    now_of(a->clock));
		if (!a->stop)
			tick(a);
	}
	hold(a);
}
