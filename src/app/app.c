/* Connects source, monitor, outputs and screen. */
#include "app/app.h"
#include "app/state.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "pmu/pmu.h"
#include "process/crash.h"
#include "process/descriptors.h"
#include "process/signals.h"
#include "server/open.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool
choose_view(struct app *a, struct err *e)
{
	const struct options *o = a->o;
	const char *term = getenv("TERM");
	bool piped = false, recorded = false;

	for (unsigned i = 0; i < OUTPUTS; i++) {
		recorded = recorded || o->out.file[i] != NULL;
		piped = piped ||
			(sink_table[i]->records && o->out.file[i] != NULL &&
			 strcmp(o->out.file[i], "-") == 0);
	}
	a->text = o->out.batch;
	a->screen.wanted = !o->out.batch && !piped && o->cmd.exec == NULL &&
			   isatty(STDOUT_FILENO);
	if (!a->screen.wanted && !o->out.batch && !recorded &&
	    o->cmd.exec == NULL)
		return err_set(
			e, ERR_USAGE,
			"standard output is not a terminal; use -b for text or --csv - for a recording");
	/* A replay from standard input takes its keys from /dev/tty. */
	if (a->screen.wanted && o->replay.n == 0 && !isatty(STDIN_FILENO))
		return err_set(
			e, ERR_USAGE,
			"standard input, where the keys come from, is not a terminal; use -b for text");
	if (a->screen.wanted &&
	    (term == NULL || term[0] == '\0' || strcmp(term, "dumb") == 0)) {
		err_print(
			"terminal type %s cannot show the screen; ktop prints batch text instead (for the screen set TERM; xterm-256color often works)",
			term != NULL ? term : "");
		a->screen.wanted = false;
		a->text = true;
	}
	return true;
}

/* Can ktop show the user's own processes without permission to count? */
static bool
has_own_processes(const struct app *a)
{
	const struct source_info *i = &a->source->info;

	return i->why.code == ERR_PERM && i->processes &&
	       a->o->cmd.exec == NULL &&
	       (a->screen.wanted || a->o->out.processes > 0);
}

static bool
accept_source(const struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->mode != SOURCE_BUSY_ONLY || i->ends)
		return true;
	if ((i->why.code == ERR_PERM || i->why.code == ERR_TAKEN) &&
	    ((!i->utilisation && !has_own_processes(a)) || a->o->require_pmu)) {
		*e = i->why;
		if (e->code == ERR_PERM && i->processes &&
		    a->o->cmd.exec == NULL && !a->o->require_pmu)
			err_set(e, ERR_PERM,
				"%s; --processes records your own processes without that permission",
				i->why.text);
		return false;
	}
	if (!a->o->require_pmu)
		return true;
	return err_set(e, ERR_NO_PMU, "%.*s", source_why_bytes(&i->why),
		       i->why.text);
}

/* An unknown event is an error; an event of another machine is a notice. */
static bool
config_ok(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	char text[sizeof e->text];

	if (i->ends)
		return true;
	if (!user_names_known(&a->user, i->catalog, e))
		return false;
	if (!a->screen.wanted && i->catalog != NULL &&
	    user_names_missing(&a->user, i->catalog, text, sizeof text))
		messages_add(&a->messages, "%s", text);
	return true;
}

static void
notice_new_chip(struct app *a)
{
	const struct source_info *i = &a->source->info;
	char text[200], chip[sizeof i->chip];

	/* Only kperf and the simulator can use Apple's database for a chip
	 * without a table. */
	if (strcmp(i->source, "kperf") != 0 && strcmp(i->source, "sim") != 0)
		return;
	if (i->catalog == NULL || i->chip[0] == '\0' ||
	    pmu_by_db(i->chip) != NULL)
		return;
	utf8_visible(chip, sizeof chip, i->chip);
	snprintf(
		text, sizeof text,
		"ktop has no table for %s; it uses Apple's own database: names and counters are right, slot widths are not known",
		chip);
	messages_add(&a->messages, "%s", text);
}

static bool
open_source(struct app *a, struct err *e)
{
	char chip[sizeof a->source->info.chip];

	a->source = a->o->replay.n > 0 ? replay_open_source(a, e)
				       : server_open_source(a->o, e);
	if (a->source == NULL)
		return false;
	const struct source_info *i = &a->source->info;

	utf8_visible(chip, sizeof chip, i->chip);
	snprintf(a->crash_line, sizeof a->crash_line,
		 "\nktop " KTOP_VERSION
		 " (%s, %s) crashed; please report this line\n",
		 i->source, chip);
	a->crash = crash_open(a->crash_line);
	return true;
}

static bool
open_view(struct app *a, struct err *e)
{
	if (!screen_open(a, e))
		return false;
	if (a->screen.wanted && a->o->no_locale != NULL &&
	    a->o->ui.glyphs == UI_GLYPHS_AUTO)
		messages_add(&a->messages, "%s", a->o->no_locale);
	notice_new_chip(a);
	return true;
}

static bool
app_open(struct app *a, struct err *e)
{
	if (!choose_view(a, e) || !outlets_check(a, e) ||
	    !job_wait_for_terminal(a, e))
		return false;
	signals_open(&a->loop.wait);
	a->loop.files = descriptors_limit();
	bool ok = open_source(a, e) && accept_source(a, e) &&
		  sampling_period_ok(a, a->period_ns, e) && config_ok(a, e) &&
		  processes_check(a, e) && sampling_open(a, e) &&
		  row_options_check(a, e) && counting_start(a, e) &&
		  open_view(a, e) && outlets_open(a, e) && run_start(a, e);

	if (ok || !a->screen.wanted)
		loop_show_messages(a);
	return ok;
}

static void
report_lost(struct app *a)
{
	for (unsigned i = 0; i < OUTPUTS_ALL; i++) {
		const struct outlet *out = &a->outlets.outlet[i];

		if (out->lost == 0 || out->gone)
			continue;
		err_print("%s: %llu %s lost",
			  strcmp(out->name, "-") == 0 ? "standard output"
						      : out->name,
			  (unsigned long long)out->lost,
			  out->lost == 1 ? "sample was" : "samples were");
		if (a->loop.code == 0 && a->o->cmd.exec == NULL)
			a->loop.code = ERR_FAIL;
	}
}

static void
report_recordings(const struct app *a)
{
	for (unsigned i = 0; a->screen.wanted && i < OUTPUTS; i++) {
		const struct outlet *out = &a->outlets.outlet[i];

		if (sink_table[i]->records && out->sink != NULL &&
		    strcmp(out->name, "-") != 0)
			err_print("%s: %llu %s recorded", out->name,
				  (unsigned long long)out->frames,
				  plural(out->frames, "sample", "samples"));
	}
}

static void
set_counts_exit_code(struct app *a)
{
	const struct source_info *i = &a->source->info;

	if (a->loop.code != 0 || a->sampling.counted ||
	    a->o->cmd.exec != NULL || i->ends)
		return;
	if (i->why.code == ERR_PERM && a->process_reader.counted)
		return; /* the user's own processes were shown */
	if (i->why.code == ERR_PERM || i->why.code == ERR_TAKEN)
		a->loop.code = (int)i->why.code;
	else if (a->sampling.in_use)
		a->loop.code = ERR_TAKEN;
	else
		return;
	if (a->screen.wanted || a->sampling.in_use)
		err_set(&a->loop.error, (enum err_code)a->loop.code, "%s",
			a->sampling.in_use
				? "all counters were in use by other programs or the NMI watchdog, so nothing was counted; quit those programs, or try --mux"
				: i->why.text);
}

static void
app_close(struct app *a)
{
	struct err late;

	marking_write_at_end(a);
	screen_close(a);
	marking_report_unsaved(a);
	power_feed_close(a);
	a->frame = NULL; /* the frame refers to the source */
	if (!server_close_source(a->o, a->source, &late) &&
	    a->loop.error.text[0] == '\0') {
		a->loop.error = late;
		a->loop.code = a->loop.code != 0 ? a->loop.code : ERR_FAIL;
	}
	a->source = NULL;
	loop_drain(a);
	report_recordings(a);
	outlets_close(a);
	run_free(a);
	crash_close(a->crash);
	sampling_close(a);
	process_reading_free(&a->process_reader.reading);
	free(a->pace);
}

/* Sets the exit code; a command that cannot be started has its own. */
static void
fail_open(struct app *a, const struct err *e)
{
	int stop = signals_ending();

	outlets_discard(a);
	/* A signal while a recording is opened is not an error. */
	if (stop != 0 && a->o->replay.n > 0) {
		a->loop.code = 128 + stop;
		return;
	}
	a->loop.error = *e;
	a->loop.code = e->code == ERR_NONE ? ERR_FAIL : (int)e->code;
	if (run_code(a) != 0)
		a->loop.code = run_code(a);
}

int
app_run(const struct options *o)
{
	struct app *a = calloc(1, sizeof *a);
	struct err e = { ERR_NONE, "" };

	if (a == NULL) {
		err_set(&e, ERR_FAIL, "out of memory");
		return err_fail(&e);
	}
	a->screen.own_cpu_pct = NAN;
	a->process_reader.opened = -1;
	a->outlets.mark_file.fd = -1;
	a->o = o;
	a->user = o->user;
	a->look = o->ui;
	a->period_ns = o->period_ns;
	if (app_open(a, &e)) {
		loop_run(a);
		run_report(a);
		set_counts_exit_code(a);
	} else {
		fail_open(a, &e);
	}
	app_close(a);
	if (a->loop.error.text[0] != '\0')
		(void)err_fail(&a->loop.error);
	report_lost(a);
	int code = a->loop.code;

	free(a);
	return code;
}
