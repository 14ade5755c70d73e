/* The loop over intervals. */
#include "app/state.h"
#include "process/signals.h"

#include <signal.h>
#include <sys/select.h>
#include <unistd.h>

static void
wake_server(const struct app *a)
{
	if (a->o->source.server != 0)
		(void)kill(getppid(), SIGCONT);
}

bool
job_wait_for_terminal(const struct app *a, struct err *e)
{
	bool waited = false;

	while (a->screen.wanted && signals_in_background()) {
		waited = true;
		if (!signals_stop_self(0, SIGTTOU) && signals_in_background())
			return err_set(
				e, ERR_USAGE,
				"the terminal belongs to another job, and no shell can bring ktop to the foreground; use -b for text");
	}
	if (waited)
		wake_server(a);
	return true;
}

/* If a signal ends ktop, closes the screen and returns the signal; else 0. */
static int
close_on_ending_signal(struct app *a)
{
	int number = signals_ending();

	if (number != 0)
		screen_close(a);
	return number;
}

/* Stops ktop; with a screen its whole job, which may be a script. In the
 * background, setting terminal modes would stop ktop again. */
static int
job_stop(struct app *a)
{
	bool screen = a->screen.ui != NULL;
	int number = 0;

	if (screen)
		ui_suspend(a->screen.ui);
	bool stopped = signals_stop_self(screen ? 0 : getpid(), SIGTSTP);

	/* After the shell's `bg` the terminal is still the shell's. */
	while (screen && stopped && (number = close_on_ending_signal(a)) == 0 &&
	       signals_in_background() && signals_stop_self(0, SIGTTOU))
		;
	if (stopped)
		wake_server(a);
	if (a->screen.ui != NULL)
		ui_resume(a->screen.ui);
	if (!stopped)
		messages_add(&a->messages, "no shell to return to; %s",
			     screen ? "q quits" : "ktop continues");
	return number;
}

enum {
	FIRST_NS = 200 * 1000 * 1000, /* shortened first interval */
	SWAP_NS = 150 * 1000 * 1000,  /* first interval after an event change */
	FRESH_NS = 1000 * 1000, /* a younger interval is not ended early */
	MILLISECOND_NS = 1000 * 1000,
	LOOK_NS = 2 * 1000 * 1000,
	LAST_WORDS_NS = 2 * 1000 * 1000 * 1000
};

#define FOR_EVER INT64_MAX

static void
stop_with(struct app *a, int code)
{
	a->loop.stop = true;
	a->loop.code = code;
}

static void
stop_with_error(struct app *a, const struct err *e)
{
	a->loop.error = *e;
	stop_with(a, e->code == ERR_NONE ? ERR_FAIL : (int)e->code);
}

void
loop_show_messages(struct app *a)
{
	const char *text;

	while ((text = messages_take(&a->messages)) != NULL) {
		if (a->screen.ui == NULL)
			err_print("%s", text);
		else
			screen_show(a, text);
	}
}

static void
draw_screen(struct app *a)
{
	loop_show_messages(a);
	a->loop.changed = false;
	if (!screen_draw(a, a->loop.stop || a->loop.holding))
		stop_with(a, 128 + SIGHUP);
}

static enum sampled
output_frame(struct app *a)
{
	enum sampled what = sampling_read_frame(a);

	if (what == SAMPLED_FRAME) {
		if (a->run != NULL)
			account_add(&a->run->account, a->frame);
		/* Messages about a frame come before the frame. */
		if (a->screen.ui == NULL)
			loop_show_messages(a);
		if (!outlets_write_frame(a))
			a->loop.stop = true;
		marking_write_waiting(a);
	} else if (what == SAMPLED_END && a->pace != NULL) {
		replay_stay_at_end(a);
	} else if (what == SAMPLED_END) {
		a->loop.stop = true;
	}
	return what;
}

/* Makes a frame before a change, so that no frame mixes before and after. */
static void
end_frame_early(struct app *a)
{
	if (!a->clock->stepped && !a->source->info.ends && !a->loop.holding &&
	    a->frame != NULL &&
	    clock_awake_ns(a->clock) - a->frame->stamp.awake_ns > FRESH_NS)
		(void)output_frame(a);
}

static void
end_interval_soon(struct app *a)
{
	if (!a->clock->stepped)
		ticker_soon(&a->loop.ticker, clock_awake_ns(a->clock), SWAP_NS);
}

static void
stop_after_frames(struct app *a)
{
	if (a->o->frames != 0 && a->sampling.frames >= a->o->frames)
		a->loop.stop = true;
}

static void
suspend(struct app *a)
{
	if (a->source == NULL)
		return;
	bool live = !a->source->info.ends, full = false;

	if (live) {
		end_frame_early(a);
		full = counting_release(a);
	}
	loop_show_messages(a);
	int number = job_stop(a);

	if (number != 0) {
		stop_with(a, 128 + number);
		return;
	}
	if (live) {
		monitor_gap(a->monitor);
		counting_resume(a, full);
		ticker_start(&a->loop.ticker, clock_awake_ns(a->clock),
			     a->period_ns);
		end_interval_soon(a);
	}
	draw_screen(a);
}

/* Suspends ktop if another job owns the terminal: a stopped counter server
 * stops the job. In the background, setting terminal modes would stop ktop. */
static void
suspend_if_behind(struct app *a)
{
	pid_t front = a->screen.ui != NULL ? tcgetpgrp(STDIN_FILENO) : -1;
	sigset_t set, old;

	if (front <= 0 || front == getpgrp())
		return;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTTOU);
	(void)sigprocmask(SIG_BLOCK, &set, &old);
	suspend(a);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

static void
check_readings(struct app *a)
{
	loop_show_messages(a);
	if (a->loop.stop)
		return;
	if (a->sampling.failed > 0 && !a->sampling.gone)
		suspend_if_behind(a);
	if (a->sampling.gone)
		stop_with_error(a, &a->sampling.why);
}

/* After SIGSTOP and SIGCONT from another process the terminal's modes and owner
 * are unknown. */
static void
continue_after_stop(struct app *a)
{
	suspend_if_behind(a);
	if (a->screen.ui == NULL)
		return;
	ui_suspend(a->screen.ui);
	ui_resume(a->screen.ui);
	draw_screen(a); /* a paused replay draws no later frame */
}

static bool
has_waiting_keys(const struct app *a)
{
	return a->screen.ui != NULL && ui_line(a->screen.ui).waits;
}

static void
change_interval(struct app *a, int64_t ms)
{
	struct err e = { ERR_NONE, "" };

	if (ms <= 0)
		return;
	if (!sampling_period_ok(a, ms * MILLISECOND_NS, &e)) {
		messages_add(&a->messages, "%s", e.text);
		return;
	}
	a->period_ns = ms * MILLISECOND_NS;
	monitor_period(a->monitor, a->period_ns);
	ticker_start(&a->loop.ticker, clock_awake_ns(a->clock), a->period_ns);
}

static void
handle_counting_request(struct app *a, const struct ui_request *r)
{
	bool set = r->kind == UI_PRESET || r->kind == UI_EVENTS;
	bool changed = false;

	if (a->source->info.ends) {
		messages_add(
			&a->messages,
			"this is a recording: its events cannot be changed");
		return;
	}
	if (r->kind != UI_ROTATE && !(set && a->counting.ipc))
		end_frame_early(a);
	if (r->kind == UI_PRESET && r->arg >= 0 &&
	    r->arg < (int64_t)user_preset_count(&a->user))
		changed = counting_use_preset(a, (int)r->arg);
	else if (r->kind == UI_EVENTS)
		changed = counting_use_events(a, r->events);
	else if (r->kind == UI_IPC)
		changed = counting_toggle_ipc(a);
	else if (r->kind == UI_ROTATE)
		rotation_toggle(a);
	if (changed)
		end_interval_soon(a);
}

static enum sampled next_frame(struct app *a);

static void
go_in_replay(struct app *a, const struct ui_request *r)
{
	struct err e = { ERR_NONE, "" };

	bool next;

	if (!replay_handle_key(a, (enum ui_replay_action)r->arg, r->text, &next,
			       &e))
		stop_with_error(a, &e);
	else if (next)
		(void)next_frame(a);
}

static void
perform_request(struct app *a, const struct ui_request *r)
{
	if (r->kind != UI_NONE)
		a->screen.message[0] = '\0';
	if (a->loop.holding && r->kind != UI_QUIT && r->kind != UI_SUSPEND &&
	    r->kind != UI_MARK_NAME && r->kind != UI_SHOT) {
		if (r->kind != UI_NONE)
			messages_add(
				&a->messages,
				"the simulation has ended; press q to quit");
		return;
	}
	switch (r->kind) {
	case UI_NONE:
		break;
	case UI_QUIT:
		a->loop.stop = true;
		break;
	case UI_PRESET:
	case UI_EVENTS:
	case UI_IPC:
	case UI_ROTATE:
		handle_counting_request(a, r);
		break;
	case UI_INTERVAL:
		change_interval(a, r->arg);
		break;
	case UI_RECORD:
		outlets_toggle_recording(a);
		break;
	case UI_MARK:
		marking_add_by_key(a, r->arg);
		break;
	case UI_MARK_NAME:
		marking_set_name(a, r->text);
		break;
	case UI_SHOT:
		screen_save_text(a);
		break;
	case UI_SAVE:
		save_choices(a, r);
		break;
	case UI_REPLAY:
		go_in_replay(a, r);
		break;
	case UI_SUSPEND:
		suspend(a);
		break;
	}
	check_readings(a);
}

/* Takes an extra sample at once, so that the process view shows rates without
 * waiting for two intervals. */
static void
read_processes_soon(struct app *a)
{
	if (a->loop.stop || !process_was_opened(a))
		return;
	end_frame_early(a);
	check_readings(a);
	if (a->loop.stop)
		return;
	if (process_sample_wanted_early(a))
		end_interval_soon(a);
	draw_screen(a);
}

static void
take_input(struct app *a)
{
	struct ui_request r = ui_input(a->screen.ui, &a->loop.changed);

	perform_request(a, &r);
	if (a->loop.stop || has_waiting_keys(a))
		return;
	/* Draw only if a key changed the screen, or a refresh was skipped. */
	if (!a->loop.changed && !ui_line(a->screen.ui).owes)
		return;
	draw_screen(a);
	read_processes_soon(a);
}

struct wait_set {
	fd_set in, out;
	int max;
};

static void
wait_set_add(struct wait_set *w, fd_set *set, int fd)
{
	if (fd < 0 || fd >= FD_SETSIZE)
		return;
	FD_SET(fd, set);
	if (fd > w->max)
		w->max = fd;
}

/* The connection to the counter server; -1: none, or the source watches it. */
static int
keeper_fd(const struct app *a)
{
	return a->source != NULL && a->source->info.watch == NULL &&
			       a->o->source.server > 0
		       ? a->o->source.server
		       : -1;
}

static void
wait_set_fill(const struct app *a, struct wait_set *w)
{
	FD_ZERO(&w->in);
	FD_ZERO(&w->out);
	w->max = -1;
	if (a->screen.ui != NULL) {
		wait_set_add(w, &w->in, ui_line(a->screen.ui).input_fd);
		wait_set_add(w, &w->out, ui_line(a->screen.ui).output_fd);
	}
	for (unsigned i = 0; i < OUTPUTS_ALL; i++) {
		struct sink *s = a->outlets.outlet[i].sink;

		if (s != NULL)
			wait_set_add(w, &w->out, sink_waiting_fd(s));
	}
	if (a->source != NULL && a->source->info.watch != NULL &&
	    !a->source->info.lost)
		wait_set_add(w, &w->in, *a->source->info.watch);
	wait_set_add(w, &w->in, keeper_fd(a));
}

/* Reads the source if it has input between readings: it may have ended. */
static bool
source_gone(struct app *a, const struct wait_set *w)
{
	const int *watch = a->source != NULL ? a->source->info.watch : NULL;

	if (watch == NULL || a->source->info.lost || !FD_ISSET(*watch, &w->in))
		return false;
	return output_frame(a) == SAMPLED_GONE || a->loop.stop;
}

/* Has the counter server ended? It sends nothing, so input is its end. */
static bool
keeper_gone(struct app *a, const struct wait_set *w)
{
	int fd = keeper_fd(a);
	struct err e;

	if (fd < 0 || fd >= FD_SETSIZE || !FD_ISSET(fd, &w->in))
		return false;
	/* With SIGTTOU, restoring another job's terminal would stop ktop. */
	(void)signal(SIGTTOU, SIG_IGN);
	err_set(&e, ERR_FAIL,
		"the counter server has ended; start ktop again, a replay without sudo");
	stop_with_error(a, &e);
	return true;
}

static void
take_signals(struct app *a)
{
	int stop = signals_take(SIGNAL_STOP);

	if (stop != 0 && a->run != NULL && !a->run->child.ended)
		signals_forward(stop, a->run->child.pid);
	else if (stop != 0)
		stop_with(a, 128 + stop);
	if (signals_take(SIGNAL_CONTINUE) && a->screen.ui != NULL)
		continue_after_stop(a);
	if (signals_take(SIGNAL_RESIZE) && a->screen.ui != NULL) {
		ui_resized(a->screen.ui);
		draw_screen(a);
	}
	if (signals_take(SIGNAL_CHILD) && run_has_ended(a))
		a->loop.stop = true;
	if (signals_take(SIGNAL_MARK) && a->source != NULL)
		marking_add_from_outside(a);
	if (signals_take(SIGNAL_PAUSE))
		suspend(a);
}

/* Sleeps at most left_ns, until a signal, input or a writable output, and
 * handles what has come. */
static void
sleep_and_handle(struct app *a, int64_t left_ns)
{
	struct wait_set w;
	struct timespec t = { 0, 0 };
	bool keys = has_waiting_keys(a);

	if (keys)
		left_ns = 0;
	if (left_ns > 0) {
		t.tv_sec = (time_t)(left_ns / SECOND_NS);
		t.tv_nsec = (long)(left_ns % SECOND_NS);
	}
	wait_set_fill(a, &w);
	int n = pselect(w.max + 1, &w.in, &w.out, NULL,
			left_ns == FOR_EVER ? NULL : &t, &a->loop.wait);

	if (n > 0)
		signals_deliver(&a->loop.wait);
	take_signals(a);
	if ((n > 0 || (n == 0 && keys)) && !a->loop.stop &&
	    !source_gone(a, &w) && !keeper_gone(a, &w)) {
		if (!outlets_flush(a))
			a->loop.stop = true;
		if (a->screen.ui != NULL && !ui_flush(a->screen.ui))
			stop_with(a, 128 + SIGHUP);
		if (a->screen.ui != NULL && !a->loop.stop)
			take_input(a);
	}
	check_readings(a);
}

static bool
is_held_back(const struct app *a)
{
	return (a->screen.ui != NULL && ui_line(a->screen.ui).output_fd >= 0) ||
	       outlets_hold_back(a);
}

static void
wait_for_outputs(struct app *a)
{
	sleep_and_handle(a, 0);
	while (!a->loop.stop && (is_held_back(a) || has_waiting_keys(a)))
		sleep_and_handle(a, FOR_EVER);
}

void
loop_drain(struct app *a)
{
	a->loop.stop = false; /* a second signal ends this loop, too */
	int64_t now = clock_awake_ns(clock_system()),
		until = now + LAST_WORDS_NS;

	/* If all went well, wait until the readers have read everything. */
	if (!a->screen.wanted && a->loop.code == 0)
		until = FOR_EVER;

	while (!a->loop.stop && is_held_back(a) && now < until) {
		sleep_and_handle(a, until == FOR_EVER ? until : until - now);
		now = clock_awake_ns(clock_system());
	}
}

static void
follow_machine(struct app *a)
{
	struct err e = { ERR_NONE, "" };

	if (a->loop.stop)
		return;
	switch (renewal_of_machine(a, &e)) {
	case RENEWAL_NONE:
		return;
	case RENEWAL_GONE:
		stop_with_error(a, &e);
		return;
	case RENEWAL_DONE:
		end_interval_soon(a);
		break;
	case RENEWAL_LATER:
		break;
	}
	check_readings(a);
	if (!a->loop.stop)
		draw_screen(a);
}

static void
run_interval(struct app *a)
{
	uint64_t missed = 0;
	int64_t late_ns = 0, now = clock_awake_ns(a->clock);

	if (!ticker_due(&a->loop.ticker, now, &missed, &late_ns))
		return;
	if (!a->clock->stepped)
		monitor_late(a->monitor, missed, late_ns > a->period_ns / 2);
	(void)output_frame(a);
	check_readings(a);
	stop_after_frames(a);
	if (process_sample_wanted_early(a))
		end_interval_soon(a);
	if (!a->loop.stop)
		rotation_use_next(a);
	counting_retry_resume(a);
	check_readings(a);
	draw_screen(a);
	(void)process_was_opened(a); /* only keys cause an early sample */
	follow_machine(a);
}

/* On a screen or with a command the first interval is short. */
static void
count_live(struct app *a)
{
	struct ticker *t = &a->loop.ticker;
	int64_t now = clock_awake_ns(a->clock);

	ticker_start(t, now, a->period_ns);
	if (!a->clock->stepped && (a->screen.wanted || a->o->cmd.exec != NULL))
		ticker_soon(t, now, FIRST_NS);
	draw_screen(a);
	while (!a->loop.stop) {
		if (a->clock->stepped)
			wait_for_outputs(a);
		else
			sleep_and_handle(a, ticker_deadline(t) -
						    clock_awake_ns(a->clock));
		if (a->loop.stop)
			break;
		if (a->clock->stepped)
			a->clock->step(a->clock->self, ticker_deadline(t));
		run_interval(a);
	}
}

static enum sampled
next_frame(struct app *a)
{
	struct err e = { ERR_NONE, "" };

	if (renewal_of_recording(a, &e) == RENEWAL_GONE) {
		stop_with_error(a, &e);
		return SAMPLED_GONE;
	}
	enum sampled what = output_frame(a);

	if (what == SAMPLED_FRAME) {
		replay_note_frame(a);
		stop_after_frames(a);
	}
	check_readings(a);
	return what;
}

/* Replays at full speed. A check of signals takes 5 % of a frame's time, so it
 * is made only now and then, if an output is full, and at the end. */
static void
run_replay_output(struct app *a)
{
	int64_t looked_ns = INT64_MIN;

	while (!a->loop.stop) {
		int64_t now = clock_awake_ns(clock_system());

		if (looked_ns == INT64_MIN || now - looked_ns >= LOOK_NS ||
		    is_held_back(a)) {
			looked_ns = now;
			wait_for_outputs(a);
		}
		if (!a->loop.stop)
			(void)next_frame(a);
	}
	take_signals(a);
}

static void
run_replay_screen(struct app *a)
{
	draw_screen(a);
	while (!a->loop.stop) {
		int64_t left_ns = replay_is_resting(a)
					  ? FOR_EVER
					  : replay_next_frame_ns(a);

		sleep_and_handle(a, left_ns > 0 ? left_ns : 0);
		if (left_ns > 0 || a->loop.stop || replay_is_resting(a))
			continue;
		(void)next_frame(a);
		draw_screen(a);
	}
}

static void
hold_last_screen(struct app *a)
{
	if (!a->o->hold || a->screen.ui == NULL || a->loop.code != 0)
		return;
	a->loop.stop = false;
	a->loop.holding = true;
	draw_screen(a);
	while (!a->loop.stop)
		sleep_and_handle(a, FOR_EVER);
}

/* Makes a last, short frame, or waits for the command if the frames ended
 * first; sets the exit code. */
static void
finish_run(struct app *a)
{
	if (a->run == NULL || a->run->child.pid <= 0)
		return;
	if (a->run->child.ended && !a->clock->stepped) {
		a->loop.stop = false;
		(void)output_frame(a);
		check_readings(a);
	}
	while (!run_has_ended(a)) {
		a->loop.stop = false;
		sleep_and_handle(a, FOR_EVER);
	}
	stop_with(a, run_code(a));
}

void
loop_run(struct app *a)
{
	if (!a->source->info.ends)
		count_live(a);
	else if (a->pace != NULL)
		run_replay_screen(a);
	else
		run_replay_output(a);
	hold_last_screen(a);
	finish_run(a);
}
