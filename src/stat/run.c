#include "stat/stat.h"

#include <math.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>
#include <unistd.h>

#include "process/child.h"
#include "process/signals.h"

enum {
	LOOK_NS = 50 * 1000 * 1000
}; /* ns between checks whether a process that is not ktop's child still runs */

struct wait {
	struct counter *counter;
	const sigset_t *mask;
	const struct stat_watch *watch;
	struct stamp start;
	struct stamp began;
	int64_t next_ns; /* of the next look, since `start` */
	int64_t machine_ns;
	struct stat_run *run;
};

static int64_t
wait_since_start(const struct wait *w)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.elapsed_ns - w->start.elapsed_ns;
}

static double
wait_counted_s(const struct wait *w)
{
	struct stamp now;

	clock_now(w->counter->clock, &now);
	return 1e-9 * (double)(now.elapsed_ns - w->began.elapsed_ns);
}

static void
wait_look(struct wait *w)
{
	struct counter_reading now;
	int64_t at = wait_since_start(w), every = w->watch->interval_ns;

	if (every == 0 || at < w->next_ns)
		return;
	w->next_ns += every * ((at - w->next_ns) / every + 1);
	if (w->counter->ops->read(w->counter, &now))
		w->watch->look(w->watch->self, wait_counted_s(w), &now);
}

static int64_t
wait_tell_machine(const struct wait *w, enum stat_moment moment)
{
	return w->watch->machine != NULL
		       ? w->watch->machine(w->watch->self, moment)
		       : 0;
}

/* Waits for a signal or a due look, at most `at_most` ns (0: no limit). */
static void
wait_sleep(struct wait *w, int64_t at_most)
{
	int64_t ns = at_most;

	if (w->watch->interval_ns > 0) {
		int64_t left = w->next_ns - wait_since_start(w);

		if (ns == 0 || left < ns)
			ns = left > 0 ? left : 1;
	}
	if (w->machine_ns > 0 && (ns == 0 || w->machine_ns < ns))
		ns = w->machine_ns;
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_nsec = (long)(ns % 1000000000) };

	(void)pselect(0, NULL, NULL, NULL, ns > 0 ? &t : NULL, w->mask);
	if (w->counter->ops->look != NULL)
		w->counter->ops->look(w->counter);
	w->machine_ns = wait_tell_machine(w, STAT_LOOK);
	wait_look(w);
}

static void
wait_hand_on_signal(struct wait *w, const struct child *child)
{
	int stop = signals_take(SIGNAL_STOP);

	if (stop != 0)
		w->run->stopped = stop;
	if (stop != 0 && child != NULL)
		signals_forward(stop, child->pid);
	if (!signals_take(SIGNAL_PAUSE))
		return;
	(void)wait_tell_machine(w, STAT_PAUSE);
	(void)signals_stop_self(getpid(), SIGTSTP);
	(void)wait_tell_machine(w, STAT_GO_ON);
}

/* A signal from the terminal may arrive after the command's end. */
static void
wait_note_last_signal(struct wait *w, const struct child *child)
{
	int stop = signals_ending();

	if (stop == 0 &&
	    (child->code == 128 + SIGINT || child->code == 128 + SIGQUIT))
		stop = child->code - 128;
	if (stop != 0)
		w->run->stopped = stop;
}

static void
wait_begin(struct wait *w)
{
	w->machine_ns = wait_tell_machine(w, STAT_BEGINS);
	clock_now(clock_system(), &w->start);
	w->next_ns = w->watch->interval_ns;
}

static const struct stat_run stat_run_none = { .end.cpu_s = NAN,
					       .machine_joules = NAN,
					       .machine_bytes = NAN };

static double
rusage_seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

/* Excludes the work that the child does before its exec, as a copy of ktop. */
static void
run_note_use(struct stat_run *run, const struct counter *c,
	     const struct child *child, const struct rusage *use)
{
	double user_s = fmax(c->before_user_s, child->before.user_s);
	double system_s = fmax(c->before_system_s, child->before.system_s);
	struct rusage own;

	run->has_use = true;
	run->user_s = fmax(rusage_seconds(use->ru_utime) - user_s, 0);
	run->system_s = fmax(rusage_seconds(use->ru_stime) - system_s, 0);
	run->faults = (uint64_t)use->ru_minflt + (uint64_t)use->ru_majflt;
	run->major_faults = (uint64_t)use->ru_majflt;
	run->switches = (uint64_t)use->ru_nvcsw + (uint64_t)use->ru_nivcsw;
	run->preempted = (uint64_t)use->ru_nivcsw;
	if (getrusage(RUSAGE_SELF, &own) == 0 && use->ru_maxrss > own.ru_maxrss)
		run->max_rss_bytes =
			(uint64_t)use->ru_maxrss * counter_rss_bytes;
}

bool
stat_run_command(struct counter *c, char *const argv[], const sigset_t *wait,
		 const struct stat_watch *watch, struct stat_run *out,
		 struct err *e)
{
	struct wait w = {
		.counter = c, .mask = wait, .watch = watch, .run = out
	};
	struct rusage use = { .ru_maxrss = 0 };
	struct child child;

	*out = stat_run_none;
	bool ok = child_prepare(&child, argv, wait, 0, e);

	if (ok && !c->ops->attach(c, child.pid, true, e)) {
		child_discard(&child);
		return false;
	}
	/* The command may not have received the signal. */
	out->stopped = signals_ending();
	if (ok && out->stopped != 0) {
		child_discard(&child);
		counter_detach(c);
		return true;
	}
	wait_begin(&w);
	clock_now(c->clock, &w.began);
	ok = ok && child_exec(&child, argv[0], e);
	out->started = ok;
	/* SIGCHLD ends the wait if the command has ended. */
	while (ok) {
		wait_sleep(&w, c->look_ns);
		(void)signals_take(SIGNAL_CHILD);
		wait_hand_on_signal(&w, &child);
		if (child_is_done(&child))
			break;
	}
	out->elapsed_s = wait_counted_s(&w);
	if (ok) {
		out->counted = c->ops->read(c, &out->end);
		(void)wait_tell_machine(&w, STAT_ENDS);
		child_reap(&child, &use);
		run_note_use(out, c, &child, &use);
		wait_note_last_signal(&w, &child);
	}
	out->code = child.code;
	if (child.pid > 0)
		counter_detach(c);
	return ok;
}

bool
stat_run_process(struct counter *c, int32_t pid, const sigset_t *wait,
		 const struct stat_watch *watch, struct stat_run *out,
		 struct err *e)
{
	struct wait w = {
		.counter = c, .mask = wait, .watch = watch, .run = out
	};
	struct counter_reading now;

	*out = stat_run_none;
	if (!c->ops->attach(c, pid, false, e))
		return false;
	out->started = true;
	wait_begin(&w);
	/* Take the time first, so that CPU time cannot exceed it. */
	clock_now(c->clock, &w.began);
	if (c->ops->begin != NULL)
		c->ops->begin(c);
	for (;;) {
		bool here = c->ops->read(c, &now);

		if (here) {
			out->counted = true;
			out->end = now;
		}
		if (!here || now.ended || out->stopped != 0)
			break;
		wait_sleep(&w, LOOK_NS);
		wait_hand_on_signal(&w, NULL);
	}
	out->elapsed_s = wait_counted_s(&w);
	(void)wait_tell_machine(&w, STAT_ENDS);
	counter_detach(c);
	return true;
}
