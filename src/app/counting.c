/* Which events are counted: presets, rotation, IPC mode, and ^Z. */
#include "app/state.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "process/signals.h"
#include "options/user_rates.h"

enum {
	SWAP_NS = 150 * 1000 * 1000, /* a swap never blanks a whole second */
	FRESH_NS = 1000 * 1000       /* younger frames are not cut again */
};

/* Also in an outage, when the mode shows that nothing comes. */
static bool
is_full(const struct app *a)
{
	return a->source->info.set != NULL && a->source->info.set->len > 0;
}

static bool
derive(const struct app *a, int preset, struct eventset *set, struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->catalog == NULL)
		return err_set(e, ERR_NO_PMU, "%s has no events to count: %s",
			       i->model, i->why.text);
	return user_derive(&a->user, preset, i->catalog, i->domain, set, e);
}

void
app_rates_follow(struct app *a, const struct eventset *set)
{
	unsigned changed[EVENTSET_MAX];
	unsigned n = user_rates_follow(&a->user, set, changed);

	for (unsigned i = 0; i < n; i++)
		monitor_redefined(a->monitor, changed[i]);
}

/* The presets that macOS counts nothing of. */
static void
mark_refused(struct app *a)
{
	struct eventset set;

	a->preset_refused = 0;
	for (unsigned i = 0; i < user_preset_count(&a->user) && i < 32; i++)
		if ((a->preset_possible >> i & 1) != 0 &&
		    derive(a, (int)i, &set, NULL) &&
		    refused_all(&a->refused, &set))
			a->preset_refused |= 1u << i;
}

/* Counts `set`, or nothing but the fixed pair for NULL. */
static bool
program(struct app *a, const struct eventset *set, struct err *e)
{
	if (set != NULL)
		app_rates_follow(a, set);
	bool counted = is_full(a);
	bool ok = a->source->ops->program(a->source, set, e);

	a->retake = false;
	refused_begin(&a->refused, a->source->info.catalog, a->source->info.os);
	if (ok && set != NULL)
		refused_learn(&a->refused, a->source->info.set);
	else if (set != NULL)
		refused_learn_all(&a->refused, set, e);
	if (a->preset_refused != 0 || !ok)
		mark_refused(a);
	if (ok || counted)
		app_baseline(a);
	return ok;
}

static bool
same_events(const struct eventset *a, const struct eventset *b)
{
	if (a->len != b->len)
		return false;
	for (unsigned i = 0; i < a->len; i++)
		if (a->slot[i].event != b->slot[i].event)
			return false;
	return true;
}

bool
app_program_preset(struct app *a, int preset, struct err *e)
{
	struct eventset set, again;
	enum domain before = a->source->info.domain;

	if (!derive(a, preset, &set, e))
		return false;
	if (!is_full(a))
		a->set = set; /* what key i takes, should this fail */
	if (!program(a, &set, e))
		return false;
	a->set = set;
	/* Which modes count is known only now, and may prefer other events. */
	if (a->source->info.domain == before ||
	    !derive(a, preset, &again, NULL) || same_events(&set, &again))
		return true;
	if (program(a, &again, NULL))
		a->set = again;
	return true;
}

void
app_try_presets(struct app *a, int preset)
{
	struct eventset set;
	struct err e;

	if (preset < 0 || preset >= 32 ||
	    (a->preset_refused >> preset & 1) == 0 || is_full(a))
		return;
	for (unsigned i = 0; i < user_preset_count(&a->user) && i < 32; i++)
		if ((a->preset_possible & ~a->preset_refused) >> i & 1 &&
		    derive(a, (int)i, &set, NULL) && program(a, &set, &e))
			(void)program(a, NULL, &e);
	(void)app_program_preset(a, preset, &e); /* says why, as before */
}

/*
 * The counts up to now become a frame of their own before a change. Where no
 * more frames are made, of a recording or after the last one, nothing does.
 */
static void
finish_frame(struct app *a)
{
	struct stamp now;

	if (a->clock->stepped || a->source->info.ends || a->holding ||
	    a->frame == NULL)
		return;
	clock_now(a->clock, &now);
	if (now.awake_ns - a->frame->stamp.awake_ns > FRESH_NS)
		app_sample(a);
}

static void
soon(struct app *a)
{
	struct stamp now;

	if (a->clock->stepped)
		return;
	clock_now(a->clock, &now);
	ticker_soon(&a->ticker, now.awake_ns, SWAP_NS);
}

bool
app_may_choose(struct app *a)
{
	if (a->source->info.ends)
		app_say(a, "a recording has what was counted then");
	return !a->source->info.ends;
}

void
app_swap(struct app *a, int preset)
{
	struct err e = { ERR_NONE, "" };

	if (a->ipc) {
		/* Taking the counters is a step of its own. */
		if (derive(a, preset, &a->set, &e))
			(void)err_set(&e, ERR_NONE,
				      "IPC mode: i takes the "
				      "counters and counts %s",
				      a->set.name);
		app_say(a, e.text);
		return;
	}
	finish_frame(a);
	if (app_program_preset(a, preset, &e))
		soon(a);
	else
		app_say(a, e.text);
}

/* A preset of its own for the chosen events, so that keys can come back. */
static int
keep_events(struct app *a, const struct ui_events *chosen, struct err *e)
{
	struct user *u = &a->user;
	unsigned k = u->npresets;
	const char *name = chosen->name[0] != '\0' ? chosen->name : "custom";
	int known = user_preset_find(u, name);

	if (known >= 0 && known < (int)preset_count) {
		(void)err_set(e, ERR_USAGE,
			      "%s is a built-in preset; choose another name",
			      name);
		return -1;
	}
	if (known >= 0)
		k = (unsigned)known - preset_count;
	else if (k == USER_PRESETS || user_preset_count(u) >= 32) {
		(void)err_set(e, ERR_USAGE, "no room for one more preset");
		return -1;
	}
	const char *event[EVENTSET_MAX];
	const char *kept = user_keep_once(u, name, e);

	/* The catalog's names go with it, when other CPUs come. */
	for (unsigned i = 0; i < chosen->n; i++)
		if ((event[i] = user_keep_once(u, chosen->event[i]->name, e)) ==
		    NULL)
			return -1;
	if (kept == NULL)
		return -1;
	u->preset[k] = (struct preset){ .name = kept,
					.label = kept,
					.text = "events chosen on the screen",
					.key = chosen->key };
	u->nevents[k] = chosen->n;
	memcpy(u->event[k], event, chosen->n * sizeof *event);
	u->npresets += known < 0;
	return (int)(preset_count + k);
}

void
app_count_events(struct app *a, const struct ui_events *chosen)
{
	struct err e = { ERR_NONE, "" };
	int preset = keep_events(a, chosen, &e);

	if (preset < 0) {
		app_say(a, e.text);
		return;
	}
	a->preset_possible |= 1u << preset;
	app_swap(a, preset);
	if (chosen->name[0] != '\0')
		(void)app_save_preset(a, preset);
}

void
app_toggle_ipc(struct app *a)
{
	struct err e = { ERR_NONE, "" };
	bool full = is_full(a);

	finish_frame(a);
	if (!program(a, full ? NULL : &a->set, &e)) {
		app_say(a, e.text);
		return;
	}
	a->ipc = full;
	app_say(a, full ? "IPC mode: the counters are released"
			: "the counters are taken");
	soon(a);
}

void
app_retry(struct app *a)
{
	struct err e = { ERR_NONE, "" };

	finish_frame(a);
	if (program(a, &a->set, &e)) {
		a->ipc = false;
		soon(a);
	} else {
		app_say(a, e.text);
	}
}

static void
rotation_name(struct app *a)
{
	size_t at = 0;

	for (unsigned i = 0; i < a->nrotate && at < sizeof a->rotation; i++) {
		int n = snprintf(a->rotation + at, sizeof a->rotation - at,
				 "%s%s", i > 0 ? ", " : "",
				 user_preset(&a->user, a->rotate[i])->name);

		at += n > 0 ? (size_t)n : 0;
	}
}

void
app_rotation_open(struct app *a)
{
	struct eventset set;

	a->nrotate = a->o->nrotate;
	memcpy(a->rotate, a->o->rotate, sizeof a->rotate);
	a->rotating = a->nrotate > 1;
	for (unsigned i = 0; i < user_preset_count(&a->user); i++) {
		if (!derive(a, (int)i, &set, NULL))
			continue;
		if (i < 32)
			a->preset_possible |= 1u << i;
		if (a->o->nrotate == 0 &&
		    user_preset(&a->user, (int)i)->key != 0 &&
		    a->nrotate < OPTIONS_ROTATE_MAX)
			a->rotate[a->nrotate++] = (int)i;
	}
	rotation_name(a);
}

void
app_toggle_rotation(struct app *a)
{
	if (!is_full(a) || a->nrotate < 2) {
		app_say(a, "rotation needs the counters: i takes them");
		return;
	}
	a->rotating = !a->rotating;
	app_say(a, a->rotating ? "rotation: presets take turns"
			       : "rotation is off");
}

void
app_rotate(struct app *a)
{
	struct err e = { ERR_NONE, "" };

	if (!a->rotating || a->frame == NULL || !is_full(a))
		return;
	for (unsigned i = 0; i < a->nrotate; i++) {
		a->rotate_at = (a->rotate_at + 1) % a->nrotate;
		if (a->rotate[a->rotate_at] >= 32 ||
		    (a->preset_refused >> a->rotate[a->rotate_at] & 1) == 0)
			break;
	}
	if (!app_program_preset(a, a->rotate[a->rotate_at], &e))
		app_say(a, e.text);
}

/* A counter server that stopped with us may not have been told to go on. */
static void
wake_server(const struct app *a)
{
	if (a->o->source.server != 0)
		(void)kill(getppid(), SIGCONT);
}

bool
app_await_front(const struct app *a, struct err *e)
{
	bool waited = false;

	while (a->screen && signals_behind()) {
		waited = true;
		if (!signals_halt(0, SIGTTOU) && signals_behind())
			return err_set(e, ERR_USAGE,
				       "the terminal belongs to another job, "
				       "and no shell could bring ktop to the "
				       "front; use -b for text");
	}
	if (waited)
		wake_server(a);
	return true;
}

/*
 * What ends ktop meanwhile ends it where it is: the terminal is given back,
 * and may be another job's.
 */
static bool
ended_meanwhile(struct app *a)
{
	int number = signals_ending();

	if (number == 0)
		return false;
	ui_close(a->ui);
	a->ui = NULL;
	a->stop = true;
	a->code = 128 + number;
	return true;
}

/*
 * Nothing is held from here to the next SIGCONT. With a screen no terminal
 * stops the rest of the job (a script, timeout) for us.
 */
static void
stop_process(struct app *a)
{
	if (a->ui != NULL)
		ui_suspend(a->ui);
	bool stopped = signals_halt(a->ui != NULL ? 0 : getpid(), SIGTSTP);

	/* `bg` lets it go on with the terminal the shell's. */
	while (a->ui != NULL && stopped && !ended_meanwhile(a) &&
	       signals_behind() && signals_halt(0, SIGTTOU))
		;
	if (stopped)
		wake_server(a);
	if (a->ui != NULL)
		ui_resume(a->ui);
	if (!stopped)
		app_say(a, a->ui != NULL ? "no shell to return to; q quits"
					 : "no shell to return to; ktop goes "
					   "on");
}

static void
suspend(struct app *a)
{
	struct err e = { ERR_NONE, "" };
	struct stamp now;
	bool full = is_full(a);

	finish_frame(a);
	if (full && !a->source->ops->program(a->source, NULL, &e))
		app_say(a, e.text);
	stop_process(a);
	if (a->stop)
		return;
	monitor_gap(a->monitor);
	if (!full)
		app_baseline(a);
	else if (!program(a, &a->set, &e))
		app_say(a, e.text);
	a->retake = full && !is_full(a);
	clock_now(a->clock, &now);
	ticker_start(&a->ticker, now.awake_ns, a->period_ns);
	soon(a);
	app_draw(a);
}

void
app_retake(struct app *a)
{
	if (a->retake && a->source->info.mode != SOURCE_BUSY_ONLY)
		a->retake = !program(a, &a->set, NULL);
}

void
app_suspend(struct app *a)
{
	/* A reading that fails on the way may ask for it once more. */
	if (a->source == NULL || a->suspending)
		return;
	a->suspending = true;
	if (a->source->info.ends) { /* there are no counters to give back */
		stop_process(a);
		app_draw(a);
	} else {
		suspend(a);
	}
	a->suspending = false;
}
