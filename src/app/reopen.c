/* The machine has other CPUs now: the source is renewed, and all goes on. */
#include "app/state.h"

#include "recording/replay.h"

#include <stdio.h>
#include <string.h>

enum {
	SECOND_NS = 1000 * 1000 * 1000,
	FIRST_NS = 150 * 1000 * 1000 /* the gap is no longer than need be */
};

static const int64_t longest_ns = INT64_C(30) * SECOND_NS;

/* What was counted before, by name: its events are those of a new catalog. */
static void
count_again(struct app *a)
{
	struct err why = { ERR_NONE, "" };
	bool rotating = a->rotating;
	int preset = user_preset_find(&a->user, a->set.name);

	app_rotation_open(a);
	a->rotating = rotating;
	if (a->source->info.catalog == NULL) {
		why = a->source->info.why;
	} else if (a->ipc) {
		if (preset >= 0)
			(void)user_derive(&a->user, preset,
					  a->source->info.catalog, DOMAIN_NONE,
					  &a->set, NULL);
	} else if (preset < 0 && a->o->source.events != NULL) {
		if (app_program_events(a, &why))
			return;
	} else if (preset >= 0 && app_program_preset(a, preset, &why)) {
		return;
	}
	app_baseline(a);
	if (why.text[0] != '\0' && strcmp(why.text, a->why.text) != 0)
		app_say(a, why.text);
	a->why = why;
}

static bool
go_on(struct app *a, struct source *s, const struct topology *was,
      struct err *e)
{
	struct monitor *before = a->monitor;
	struct sample *sample = a->sample;

	a->source = s;
	a->frame = NULL;
	a->monitor = NULL;
	a->sample = NULL;
	a->machines++;
	bool ok = app_open_monitor(a, e) && app_outlets_machine(a, was, e) &&
		  run_machine(a, was, e);

	if (ok && !s->info.ends)
		count_again(a);
	if (ok)
		monitor_go_on(a->monitor, before);
	sample_free(sample);
	monitor_free(before);
	return ok;
}

/* What is open goes on; a loss that cannot be made good is the end. */
static void
try_later(struct app *a, const struct err *why)
{
	char said[sizeof why->text + 128];

	if (a->source->info.lost) {
		app_fail(a, why);
		return;
	}
	a->renew_wait_ns =
		a->renew_wait_ns == 0 ? SECOND_NS : 2 * a->renew_wait_ns;
	if (a->renew_wait_ns > longest_ns)
		a->renew_wait_ns = longest_ns;
	(void)snprintf(said, sizeof said,
		       "CPUs changed and cannot be read, trying again in "
		       "%d s: %s",
		       (int)(a->renew_wait_ns / SECOND_NS), why->text);
	/* Where it stays on paper, once is enough. */
	if (a->screen || a->renew_wait_ns == SECOND_NS)
		app_say(a, said);
}

/* False: nothing has changed, or nothing goes on. */
static bool
renew(struct app *a)
{
	struct err e = { ERR_NONE, "" };
	struct topology *was = topology_copy(a->source->info.topology, &e);
	struct source *s = NULL;

	if (was != NULL)
		s = a->source->ops->renew(a->source, &a->o->source, &e);
	if (s == NULL) {
		try_later(a, &e);
	} else {
		if (a->renew_wait_ns > 0)
			app_say(a, "the machine has been read anew");
		a->renew_wait_ns = 0;
		if (!go_on(a, s, was, &e)) {
			app_fail(a, &e);
			s = NULL;
		}
	}
	topology_free(was);
	return s != NULL;
}

void
app_follow_machine(struct app *a)
{
	int64_t wait = a->renew_wait_ns > 0 ? a->renew_wait_ns : SECOND_NS;
	struct stamp now;

	/* A picture that stands still is of the machine as it was. */
	if (a->stop || a->source->ops->renew == NULL ||
	    !a->source->info.outdated || (a->ui != NULL && ui_paused(a->ui)))
		return;
	clock_now(a->clock, &now);
	if (a->opened_ns != 0 && now.awake_ns - a->opened_ns < wait)
		return;
	a->opened_ns = now.awake_ns;
	bool renewed = renew(a);

	if (a->stop)
		return;
	if (renewed && !a->clock->stepped)
		ticker_soon(&a->ticker, now.awake_ns, FIRST_NS);
	app_draw(a);
}

void
app_follow_recording(struct app *a)
{
	if (!a->stop && replay_outdated(a->source))
		(void)renew(a);
}
