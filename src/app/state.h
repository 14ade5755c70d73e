/* What the wiring's files share: the whole state of a running ktop. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "app/doubt.h"
#include "app/marks.h"
#include "options/options.h"
#include "app/refused.h"
#include "app/run.h"
#include "base/ticker.h"
#include "monitor/monitor.h"
#include "out/sink.h"
#include "source/source.h"
#include "ui/ui.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

enum {
	APP_TEXT, /* -b */
	APP_CSV,  /* --csv and key c */
	APP_JSON,
	APP_OPENMETRICS,
	APP_OUTLETS
};

/* An output and how it fares. */
struct outlet {
	struct sink *sink; /* NULL: closed */
	struct sink_about about;
	char name[256];
	uint64_t frames, lost;
	bool gone; /* its reader left: nothing after that is a loss */
};

struct app {
	const struct options *o;
	sigset_t wait; /* mask while asleep */
	struct source *source;
	const struct clock *clock; /* the source's */
	struct monitor *monitor;
	struct sample *sample;
	struct ticker ticker;
	int64_t period_ns;
	const struct frame *frame; /* the last; NULL before the first */
	uint64_t frames;
	bool screen, text;      /* the TUI, or batch text, is wanted */
	struct ui_options look; /* the options', without what is unusable */
	struct ui *ui;
	struct outlet outlet[APP_OUTLETS];
	const struct metric *metric[METRIC_MAX];
	struct user user; /* the options', and what the screen added */

	struct eventset set; /* wanted: counted, or to be taken again */
	struct err why;      /* it is not counted, as of the start */
	bool ipc;            /* the person chose IPC mode */
	bool rotating;
	unsigned nrotate, rotate_at;
	int rotate[OPTIONS_ROTATE_MAX];
	char rotation[160];                       /* "overview, branch" */
	uint32_t preset_possible, preset_refused; /* as ui_status */
	struct refused refused;                   /* events, for the picker */

	bool worked;       /* a reading has come */
	uint64_t failed;   /* readings in a row that did not */
	int64_t opened_ns; /* the source was, for other CPUs; 0: at the start */
	int64_t renew_wait_ns; /* till it is tried again; 0: it went well */
	unsigned machines;     /* how often that was */
	bool stop;
	bool suspending;  /* app_suspend is under way */
	bool retake;      /* what a stop gave back, when the kernel lets us */
	bool holding;     /* --hold: nothing more will come */
	int code;         /* exit code */
	struct err error; /* said after the terminal is back */
	unsigned marks;
	struct app_pace *pace;   /* of a replay; NULL */
	struct view *batch_view; /* chooses rows of -b; NULL: all */
	struct marks mark_file;  /* marks from outside */
	bool mark_waits;         /* for the first frame */
	struct stamp mark_at;    /* when it was asked for */
	struct run *run;         /* around a command; NULL: none */

	char message[600]; /* on the screen for a while */
	int64_t message_until_ns;
	char told[sizeof(((struct source_info *)0)->notice)];
	bool counted;    /* anything, in some frame */
	bool held;       /* others had all counters, in some frame */
	bool doubt_told; /* that counts cannot be true */
	struct dead_told dead_told;

	int64_t cost_at_ns, cost_cpu_ns; /* own cost, measured each second */
	double own_cpu_pct;
	uint64_t skipped_refreshes;
	char crash_line[160];
	void *crash_stack;
};

/* ---- app.c ---- */

/* Shows a sentence on the screen, or prints it where there is none. */
void app_say(struct app *a, const char *text);

/* As app_say, also before the screen is there. */
void app_tell(struct app *a, const char *text);

/* Leaves the loop with this error as the exit code. */
void app_fail(struct app *a, const struct err *e);

/*
 * A counter server that was stopped takes its job with it: the shell has the
 * terminal, and nothing is to be drawn there until fg.
 */
void app_yield(struct app *a);

/* A sample and a monitor for the source that is open. */
bool app_open_monitor(struct app *a, struct err *e);

/* ---- reopen.c ---- */

/*
 * Between two ticks: renews the source where it says that its machine has
 * other CPUs now, at most once a second. Everything goes on: the screen, the
 * recordings, what is counted. What fails is tried again later and later.
 */
void app_follow_machine(struct app *a);

/* The same before a frame of a recording that has other CPUs. */
void app_follow_recording(struct app *a);

/* ---- sampling.c ---- */

/* One reading and, if it makes a frame, all that follows from it. */
void app_sample(struct app *a);

/* A reading that is only a baseline, after program(). */
void app_baseline(struct app *a);

/* ---- swap.c ---- */

/*
 * Derives the preset's set into a->set and counts it. False and *e: the old
 * set runs on.
 */
bool app_program_preset(struct app *a, int preset, struct err *e);

/*
 * Where macOS has just refused every event of `preset`: does it refuse those of
 * the others, too? Each is tried once, and what is refused is marked.
 */
void app_try_presets(struct app *a, int preset);

/* --events instead, as a set called custom. */
bool app_program_events(struct app *a, struct err *e);

/* Can anything be counted at all? If not, the person is told. */
bool app_may_choose(struct app *a);

/* The same between two frames, told to the person. */
void app_swap(struct app *a, int preset);
void app_toggle_ipc(struct app *a);
void app_retry(struct app *a);

/* A set chosen by events is about to come into force: its rates are metrics. */
void app_rates_follow(struct app *a, const struct eventset *set);

/* Rotation: its list out of the options, on and off, and the next set. */
void app_rotation_open(struct app *a);
void app_toggle_rotation(struct app *a);
void app_rotate(struct app *a);

/*
 * Stops the process, holding nothing meanwhile, until it is continued and, if
 * it has a screen, in front. May end with a->stop, and a->ui closed.
 */
void app_suspend(struct app *a);
void app_retake(struct app *a);

/*
 * Before anything is counted: a screen waits for its terminal as any program
 * does, stopped. False and *e: no shell is there to put it in front.
 */
bool app_await_front(const struct app *a, struct err *e);

/* Counts events chosen one by one; named and kept where a name is given. */
void app_count_events(struct app *a, const struct ui_events *chosen);

/* ---- save.c ---- */

/* Writes what was chosen on the screen into the config file. */
void app_save(struct app *a, const struct ui_request *r);

/* The same for a preset; false: told to the person why not. */
bool app_save_preset(struct app *a, int preset);

/* ---- rows_check.c ---- */

/*
 * Do --filter and --pin mean anything? False and *e: not. What is only not on
 * this machine is told, and so is a mistake of the config file.
 */
bool app_rows_ok(struct app *a, struct err *e);

/* Would the next start refuse a filter, and why? NULL: it would not. */
const char *app_filter_wrong(const struct app *a, const char *filter);

/* The same of a column to sort by, and of rows that stay on top. */
bool app_sort_known(const struct app *a, const char *sort);
bool app_pins_ok(const struct app *a, const char *pins);

/* ---- batch_rows.c ---- */

/* Has batch text show the rows that the options choose. False and *e. */
bool app_batch_rows(struct app *a, struct sink_about *about, struct err *e);

/* ---- outlets_start.c ---- */

/*
 * Can the outputs of the options be had, each its own file? Nothing is made or
 * emptied. False and *e: not.
 */
bool app_outlets_check(const struct app *a, struct err *e);
bool app_outlets_open(struct app *a, struct err *e);

/* ---- outlets.c ---- */

bool app_outlet_open(struct app *a, unsigned which, const char *target,
		     struct err *e);
void app_outlet_close(struct app *a, unsigned which);
/* All of them, of a start that failed: what was made is taken back. */
void app_outlets_discard(struct app *a);
void app_outlets_frame(struct app *a);
void app_outlets_flush(struct app *a);
/* The source's topology is another now; `was` is the one before. */
bool app_outlets_machine(struct app *a, const struct topology *was,
			 struct err *e);
void app_mark(struct app *a);
/* A mark after the frame, of that time: into the outputs, and on the screen. */
void app_pass_mark(struct app *a, const struct stamp *at, const char *text);
void app_toggle_recording(struct app *a);

/* ---- screen.c ---- */

void app_draw(struct app *a);
/* All input there is. */
void app_input(struct app *a);

/* ---- replay.c ---- */

/* Gives up root's rights, opens the recording; NULL and *e. */
struct source *app_replay_open(struct app *a, struct err *e);

/* The loop of a recording: each frame at its time, or as fast as it goes. */
void app_replay_loop(struct app *a);

/* A key of the replay: enum ui_replay_wish, and what was typed. */
void app_replay_obey(struct app *a, int wish, const char *text);

/* For the screen; valid till the next call. */
const struct ui_replay *app_replay_status(const struct app *a);

/* ---- loop.c ---- */

void app_loop(struct app *a);

/*
 * Is an interval long enough for so many CPUs? Each reading interrupts every
 * one of them. False and *e: not without --force.
 */
bool app_period_ok(const struct app *a, int64_t period_ns, struct err *e);

/*
 * Sleeps for left_ns, or until a signal, input, or room in an output, and
 * deals with those.
 */
#define APP_FOR_EVER INT64_MAX
void app_wait(struct app *a, int64_t left_ns);

/* Does an output hold back bytes until there is room for them? */
bool app_held_back(const struct app *a);

#endif
