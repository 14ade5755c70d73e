#include "app/app.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/crash.h"
#include "process/signals.h"
#include "app/state.h"
#include "options/user_rates.h"
#include "server/open.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "pmu/pmu.h"
#include "ui/view/view.h"

enum {
	MESSAGE_NS_FACTOR = 4, /* a message stays four seconds */
	SECOND_NS = 1000 * 1000 * 1000,
	LAST_WORDS_NS = 2 * 1000 * 1000 * 1000 /* for a slow reader, at exit */
};

static void
show(struct app *a, const char *text)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	utf8_visible(a->message, sizeof a->message, text);
	a->message_until_ns =
		now.awake_ns + (int64_t)MESSAGE_NS_FACTOR * SECOND_NS;
}

void
app_say(struct app *a, const char *text)
{
	if (a->ui == NULL)
		err_print("%s", text);
	else
		show(a, text);
}

void
app_tell(struct app *a, const char *text)
{
	if (a->screen)
		show(a, text);
	else
		err_print("%s", text);
}

void
app_fail(struct app *a, const struct err *e)
{
	a->error = *e;
	a->code = e->code == ERR_NONE ? ERR_FAIL : (int)e->code;
	a->stop = true;
}

void
app_yield(struct app *a)
{
	pid_t front = a->ui != NULL ? tcgetpgrp(STDIN_FILENO) : -1;
	sigset_t set, old;

	/* To stop in good order means to read again, which fails again. */
	if (a->suspending || front <= 0 || front == getpgrp())
		return;
	/* From behind, to set the terminal's modes would stop us halfway. */
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGTTOU);
	(void)sigprocmask(SIG_BLOCK, &set, &old);
	app_suspend(a);
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
}

/* The screen, batch text or a recording alone. */
static bool
choose_view(struct app *a, struct err *e)
{
	const struct options *o = a->o;
	const char *term = getenv("TERM");
	bool piped = (o->csv != NULL && strcmp(o->csv, "-") == 0) ||
		     (o->json != NULL && strcmp(o->json, "-") == 0);
	bool recorded =
		o->csv != NULL || o->json != NULL || o->openmetrics != NULL;

	a->text = o->batch;
	a->screen =
		!o->batch && !piped && o->exec == NULL && isatty(STDOUT_FILENO);
	if (!a->screen && !o->batch && !recorded && o->exec == NULL)
		return err_set(
			e, ERR_USAGE,
			"standard output is not a "
			"terminal; use -b for text or --csv - for a recording");
	/* A recording that comes that way has the keys from /dev/tty. */
	if (a->screen && o->nreplay == 0 && !isatty(STDIN_FILENO))
		return err_set(e, ERR_USAGE,
			       "standard input, where the keys come from, is "
			       "not a terminal; use -b for text");
	if (a->screen &&
	    (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0)) {
		err_print("this terminal (TERM=%s) cannot show the screen; "
			  "batch text instead",
			  term != NULL ? term : "");
		a->screen = false;
		a->text = true;
	}
	return true;
}

/*
 * Where not even cycles can be read: busy time alone is shown on a machine
 * without counters, but a missing permission is better repaired first.
 */
static bool
accept_source(const struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->mode != SOURCE_BUSY_ONLY || i->ends)
		return true;
	if ((i->why.code == ERR_PERM || i->why.code == ERR_TAKEN) &&
	    (!i->utilisation || a->o->require_pmu)) {
		*e = i->why;
		return false;
	}
	if (!a->o->require_pmu)
		return true;
	/* Nothing is going to be shown: the sentence ends before that. */
	const char *shown = strstr(i->why.text, ": showing utilisation only");

	return err_set(e, ERR_NO_PMU, "%.*s",
		       shown != NULL ? (int)(shown - i->why.text)
				     : (int)strlen(i->why.text),
		       i->why.text);
}

bool
app_open_monitor(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;

	user_add_rates(&a->user, i, a->o->source.events);
	if (a->screen || (a->text && i->ends))
		user_add_spares(&a->user);
	struct monitor_options mo = {
		.period_ns = a->period_ns,
		.catalog = i->catalog,
		.rows_may_be_stale = i->rows_may_be_stale,
		.extra_metrics = a->user.metric,
		.nextra = a->user.nmetrics,
		.no_past = !a->screen && a->o->exec == NULL,
	};

	a->clock = i->clock;
	a->sample = sample_new(i->topology->ncpus, e);
	if (a->sample == NULL)
		return false;
	a->monitor = monitor_new(i->topology, &mo, e);
	if (a->monitor == NULL)
		return false;
	for (unsigned k = 0; k < monitor_metric_count(a->monitor); k++)
		a->metric[k] = monitor_metric(a->monitor, k);
	return true;
}

/* Programming takes one; a failure of it was only noted. */
static bool
first_reading(const struct app *a, struct err *e)
{
	if (a->code != 0)
		*e = a->error;
	return a->code == 0;
}

/*
 * Without a PMU only the kernel's own events are left, and they are in the
 * overview: it stands in for a preset that has none of them.
 */
static bool
count_preset(struct app *a, int preset, struct err *e)
{
	bool bare = a->source->info.mode == SOURCE_BUSY_ONLY;
	int spare = preset_find("overview");
	struct err said;

	if (bare && a->o->ipc)
		preset = spare;
	if (app_program_preset(a, preset, e))
		return true;
	if (!bare || preset == spare || !app_program_preset(a, spare, e))
		return false;
	(void)err_set(&said, ERR_NONE,
		      "preset %s takes hardware counters: the overview "
		      "instead, of what the kernel itself counts",
		      user_preset(&a->user, preset)->name);
	app_tell(a, said.text);
	return true;
}

/* A misspelt name is an error; one of another machine is told. */
static bool
config_ok(const struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	char text[sizeof e->text];

	if (i->ends) /* nothing is counted any more */
		return true;
	if (!user_names_known(&a->user, i->catalog, e))
		return false;
	if (!a->screen && i->catalog != NULL &&
	    user_names_missing(&a->user, i->catalog, text, sizeof text))
		err_print("%s", text);
	return true;
}

/* What of an own preset finds no counter, wherever it is asked for. */
static void
tell_left_out(const struct app *a, int preset)
{
	const struct source_info *i = &a->source->info;
	char text[sizeof a->error.text];
	struct eventset set;

	if (i->catalog != NULL &&
	    user_derive(&a->user, preset, i->catalog, i->domain, &set, NULL) &&
	    user_left_out(&a->user, preset, &set, i->catalog, text,
			  sizeof text))
		err_print("%s", text);
}

/* The first set; if it cannot be had, what still works, and why. */
static bool
start_counting(struct app *a, struct err *e)
{
	int preset = a->o->nrotate > 0 ? a->o->rotate[0] : a->o->preset;
	struct err why = { ERR_NONE, "" };

	if (a->source->info.ends) /* what it counted stands in it */
		return true;
	app_rotation_open(a);
	if (a->o->source.events == NULL && a->o->nrotate == 0)
		tell_left_out(a, preset);
	for (unsigned i = 0; i < a->o->nrotate; i++)
		tell_left_out(a, a->o->rotate[i]);
	/* There is no pair to be content with: what the kernel counts, then. */
	a->ipc = a->o->ipc && a->source->info.mode != SOURCE_BUSY_ONLY;
	if (a->source->info.catalog == NULL)
		why = a->source->info.why;
	else if (a->ipc)
		(void)user_derive(&a->user, preset, a->source->info.catalog,
				  DOMAIN_NONE, &a->set, NULL);
	else if (a->o->source.events != NULL)
		return app_program_events(a, e) && first_reading(a, e);
	else if (count_preset(a, preset, &why))
		return first_reading(a, e);
	else if (a->screen)
		app_try_presets(a, preset);
	a->why = why;
	app_baseline(a);
	if (!a->worked || a->code != 0) {
		/* The refusal says more than the failing read behind it. */
		*e = why.code != ERR_NONE ? why : a->error;
		return false;
	}
	if (why.text[0] != '\0' && !a->screen)
		app_say(a, why.text);
	return true;
}

static bool
open_screen(struct app *a, struct err *e)
{
	if (!a->screen)
		return true;
	if (a->o->no_locale != NULL && a->o->ui.glyphs == UI_GLYPHS_AUTO)
		show(a, a->o->no_locale);
	a->ui = ui_open(&a->look, e);
	return a->ui != NULL;
}

/* A Mac that came after this ktop: Apple's own database knows its events. */
static void
say_new_chip(struct app *a)
{
	const struct source_info *i = &a->source->info;
	char text[200], chip[sizeof i->chip];

	/* Not a recording, nor Linux; also where the server has the source. */
	if (strcmp(i->source, "kperf") != 0 && strcmp(i->source, "sim") != 0)
		return;
	if (i->catalog == NULL || i->chip[0] == '\0' ||
	    pmu_by_db(i->chip) != NULL)
		return;
	utf8_visible(chip, sizeof chip, i->chip);
	(void)snprintf(
		text, sizeof text,
		"ktop has no table for %s; it uses Apple's own database: names and counters are right, slot widths are not known",
		chip);
	app_say(a, text);
}

static void
guard(struct app *a)
{
	char chip[sizeof a->source->info.chip];

	utf8_visible(chip, sizeof chip, a->source->info.chip);
	(void)snprintf(a->crash_line, sizeof a->crash_line,
		       "\nktop " KTOP_VERSION
		       " (%s, %s) crashed; please report this "
		       "line\n",
		       a->source->info.source, chip);
	a->crash_stack = crash_open(a->crash_line);
}

static bool
app_open(struct app *a, struct err *e)
{
	if (!choose_view(a, e) || !app_outlets_check(a, e) ||
	    !app_await_front(a, e))
		return false;
	signals_open(&a->wait);
	a->source = a->o->nreplay > 0 ? app_replay_open(a, e)
				      : server_open_source(a->o, e);
	if (a->source == NULL)
		return false;
	guard(a);
	if (!accept_source(a, e) || !app_period_ok(a, a->period_ns, e) ||
	    !config_ok(a, e) || !app_open_monitor(a, e) || !app_rows_ok(a, e) ||
	    !start_counting(a, e) || !open_screen(a, e))
		return false;
	say_new_chip(a);
	return app_outlets_open(a, e) && run_start(a, e);
}

/* Frames that found no room in a recording are a failure, and said. */
static void
report_lost(struct app *a)
{
	for (unsigned i = 0; i < APP_OUTLETS; i++) {
		const struct outlet *out = &a->outlet[i];

		if (out->lost == 0 || out->gone)
			continue;
		err_print("%s: %llu %s lost",
			  strcmp(out->name, "-") == 0 ? "standard output"
						      : out->name,
			  (unsigned long long)out->lost,
			  out->lost == 1 ? "frame was" : "frames were");
		if (a->code == 0 && a->o->exec == NULL)
			a->code = ERR_FAIL;
	}
}

/* A slow reader gets a moment for what it has not taken yet. */
static void
drain(struct app *a)
{
	struct stamp now;

	if (a->code != 0)
		return;
	a->stop = false;
	clock_now(clock_system(), &now);
	int64_t until = now.awake_ns + LAST_WORDS_NS;

	while (!a->stop && app_held_back(a) && now.awake_ns < until) {
		app_wait(a, until - now.awake_ns);
		clock_now(clock_system(), &now);
	}
}

/* What was recorded while a screen hid it. */
static void
tell_recorded(const struct app *a)
{
	for (unsigned i = APP_CSV; a->screen && i <= APP_JSON; i++) {
		const struct outlet *out = &a->outlet[i];

		if (out->sink != NULL && strcmp(out->name, "-") != 0)
			err_print("%s: %llu %s recorded", out->name,
				  (unsigned long long)out->frames,
				  plural(out->frames, "frame", "frames"));
	}
}

/*
 * Busy time alone was shown, or nothing but `held`: what kept ktop from
 * counting is its exit code.
 */
static void
judge_counts(struct app *a)
{
	const struct source_info *i = &a->source->info;

	if (a->code != 0 || a->counted || a->o->exec != NULL || i->ends)
		return;
	if (i->why.code == ERR_PERM || i->why.code == ERR_TAKEN)
		a->code = (int)i->why.code;
	else if (a->held)
		a->code = ERR_TAKEN;
	else
		return;
	if (a->screen || a->held)
		(void)err_set(
			&a->error, (enum err_code)a->code, "%s",
			a->held ? "other programs, or the NMI watchdog, held all of the processor's counters, so nothing was counted with them; quit them, or try --mux"
				: i->why.text);
}

/* The one way out: terminal, counters, files. */
static void
app_close(struct app *a)
{
	struct err late;

	ui_close(a->ui);
	a->ui = NULL;
	a->frame = NULL; /* it points into the source */
	if (!server_close_source(a->o, a->source, &late) &&
	    a->error.text[0] == '\0') {
		a->error = late;
		a->code = a->code != 0 ? a->code : ERR_FAIL;
	}
	a->source = NULL;
	drain(a);
	tell_recorded(a);
	for (unsigned i = 0; i < APP_OUTLETS; i++)
		app_outlet_close(a, i);
	marks_close(&a->mark_file);
	view_free(a->batch_view);
	run_free(a);
	crash_close(a->crash_stack);
	monitor_free(a->monitor);
	sample_free(a->sample);
}

/* A command that could not be run has a code of its own. */
static void
fail_open(struct app *a, const struct err *e)
{
	int code = a->run != NULL ? a->code : 0, stop = signals_ending();

	app_outlets_discard(a);
	/* Waiting for a recording is cut short by it: no other mistake. */
	if (stop != 0 && a->o->nreplay > 0) {
		a->code = 128 + stop;
		return;
	}
	app_fail(a, e);
	if (code != 0)
		a->code = code;
}

int
app_run(const struct options *o)
{
	static const struct app fresh = { .own_cpu_pct = NAN,
					  .mark_file = { .fd = -1 } };
	struct app *a = malloc(sizeof *a);
	struct err e = { ERR_NONE, "" };

	if (a == NULL) {
		(void)err_set(&e, ERR_FAIL, "out of memory");
		return err_fail(&e);
	}
	*a = fresh;
	a->o = o;
	a->user = o->user;
	a->look = o->ui;
	a->period_ns = o->period_ns;
	if (app_open(a, &e)) {
		app_loop(a);
		run_finish(a);
		run_report(a);
		judge_counts(a);
	} else {
		fail_open(a, &e);
	}
	app_close(a);
	if (a->error.text[0] != '\0')
		(void)err_fail(&a->error);
	report_lost(a);
	int code = a->code;

	free(a->pace);
	free(a);
	return code;
}
