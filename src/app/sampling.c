/* From a reading to everything that lives on frames. */
#include "app/state.h"

#include <stdio.h>
#include <string.h>

enum {
	/* A stepped clock cannot wait for better times. */
	STEPPED_FAILURES_MAX = 10000
};

/* What the source wants known, once where there is no screen. */
static void
tell_notice(struct app *a)
{
	const char *notice = a->source->info.notice;

	if (strcmp(a->told, notice) == 0)
		return;
	(void)snprintf(a->told, sizeof a->told, "%s", notice);
	if (notice[0] != '\0' && !a->screen)
		app_say(a, notice);
}

/* A screen's header shows it; a file's reader would not know till later. */
static void
tell_doubt(struct app *a)
{
	char text[DOUBT_SIZE];

	if (a->screen || a->doubt_told ||
	    !doubt_sentence(a->frame, text, sizeof text))
		return;
	a->doubt_told = true;
	app_say(a, text);
}

/* The badge and the list of events go on saying it. */
static void
tell_dead(struct app *a)
{
	char text[DOUBT_SIZE];

	while (dead_sentence(a->frame->set, a->frame->domain, &a->dead_told,
			     text, sizeof text))
		app_say(a, text);
}

static void
reading_failed(struct app *a, const struct err *e)
{
	a->failed++;
	if (!a->worked || a->source->info.lost || a->source->info.ends ||
	    (a->clock->stepped && a->failed > STEPPED_FAILURES_MAX)) {
		app_fail(a, e);
		return;
	}
	if (a->failed == 1 || a->screen)
		app_say(a, e->text);
	app_yield(a);
}

static const struct frame *
read_frame(struct app *a)
{
	struct err e = { ERR_NONE, "" };

	switch (a->source->ops->read(a->source, a->sample, &e)) {
	case SOURCE_END:
		tell_notice(a);
		a->stop = true;
		return NULL;
	case SOURCE_ERROR:
		reading_failed(a, &e);
		return NULL;
	case SOURCE_OK:
		break;
	}
	a->worked = true;
	a->failed = 0;
	tell_notice(a);
	/* A tick can come in time, and the reading take the time. */
	if (a->sample->cost_ns > a->period_ns / 2)
		monitor_late(a->monitor, 0, true);
	if (a->source->info.ends && a->sample->set != NULL)
		app_rates_follow(a, a->sample->set);
	return monitor_feed(a->monitor, a->sample);
}

void
app_baseline(struct app *a)
{
	(void)read_frame(a);
}

/*
 * Has anything been counted, ever? What the kernel counts without a counter is
 * nothing where --require-pmu asks for the processor's.
 */
static void
note_counts(struct app *a)
{
	const struct frame *f = a->frame;
	const struct tally *all = &f->tally[frame_scope_all(f)];
	int ipc = metric_find("ipc");

	uint32_t own = a->o->require_pmu ? eventset_own(f->set) : 0;

	a->counted = a->counted || all->fixed_known;
	for (unsigned i = 0; i < f->set->len && !a->counted; i++)
		a->counted = all->slot_known[i] && (own >> i & 1) == 0;
	if (!a->counted && ipc >= 0)
		a->held = frame_state(f, frame_scope_all(f), (unsigned)ipc) ==
			  VALUE_HELD;
}

void
app_sample(struct app *a)
{
	const struct frame *f = read_frame(a);

	if (f == NULL)
		return;
	a->frame = f;
	a->frames++;
	note_counts(a);
	tell_doubt(a);
	tell_dead(a);
	run_frame(a);
	app_outlets_frame(a);
}
