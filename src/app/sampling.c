#include "app/sampling.h"

#include <stdio.h>
#include <string.h>

#include "app/state.h"
#include "model/sample.h"
#include "options/user_rates.h"
#include "recording/replay.h"

enum {
	/* A stepped clock cannot wait for better times. */
	STEPPED_FAILURES_MAX = 10000,
	MANY_CPUS = 256, /* more of them are not asked more often than: */
	MANY_NS = 500 * 1000 * 1000
};

struct monitor *
sampling_monitor(const struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	const struct monitor_options mo = {
		.period_ns = a->period_ns,
		.catalog = i->catalog,
		.rows_may_be_stale = i->rows_may_be_stale,
		.extra_metrics = a->user.metric,
		.nextra = a->user.nmetrics,
		.no_past = !a->screen.wanted && a->o->cmd.exec == NULL,
	};

	return monitor_new(i->topology, &mo, e);
}

bool
sampling_open(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;

	user_add_rates(&a->user, i, a->o->source.events);
	if (a->screen.wanted || (a->text && i->ends))
		user_add_spares(&a->user);
	a->clock = i->clock;
	a->sampling.sample = sample_new(i->topology->ncpus, e);
	if (a->sampling.sample == NULL)
		return false;
	a->monitor = sampling_monitor(a, e);
	if (a->monitor == NULL)
		return false;
	for (unsigned k = 0; k < monitor_metric_count(a->monitor); k++)
		a->metric[k] = monitor_metric(a->monitor, k);
	return true;
}

void
sampling_close(struct app *a)
{
	monitor_free(a->monitor);
	sample_free(a->sampling.sample);
}

bool
sampling_period_ok(const struct app *a, int64_t period_ns, struct err *e)
{
	const struct source_info *i = &a->source->info;

	if (i->topology->ncpus <= MANY_CPUS || period_ns >= MANY_NS ||
	    a->o->out.force || i->simulated || i->ends)
		return true;
	return err_set(
		e, ERR_USAGE,
		"%u CPUs, interrupted each %.0f times a second: choose -d 500ms or longer, or --force",
		i->topology->ncpus, 1e9 / (double)period_ns);
}

/* What the source wants known, once where there is no screen. */
static void
note_notice(struct app *a)
{
	const char *notice = a->source->info.notice;
	struct sampling *s = &a->sampling;

	if (strcmp(s->told, notice) == 0)
		return;
	snprintf(s->told, sizeof s->told, "%s", notice);
	if (notice[0] != '\0' && !a->screen.wanted)
		news_add(&a->news, "%s", notice);
}

/* A screen's header shows it; a file's reader would not know for long. */
static void
note_doubt(struct app *a)
{
	char text[DOUBT_SIZE];

	if (a->screen.wanted || a->sampling.doubt_told ||
	    !doubt_sentence(a->frame, text, sizeof text))
		return;
	a->sampling.doubt_told = true;
	news_add(&a->news, "%s", text);
}

/* The badge and the list of events go on saying it. */
static void
note_dead(struct app *a)
{
	char text[DOUBT_SIZE];

	while (dead_sentence(a->frame->set, a->frame->domain,
			     &a->sampling.dead_told, text, sizeof text))
		news_add(&a->news, "%s", text);
}

static enum sampled
reading_failed(struct app *a, const struct err *e)
{
	struct sampling *s = &a->sampling;

	s->failed++;
	s->why = *e;
	if (!s->worked || a->source->info.lost || a->source->info.ends ||
	    (a->clock->stepped && s->failed > STEPPED_FAILURES_MAX)) {
		s->gone = true;
		return SAMPLED_GONE;
	}
	if (s->failed == 1 || a->screen.wanted)
		news_add(&a->news, "%s", e->text);
	return SAMPLED_FAILED;
}

/* *f: what it makes of it, or NULL. */
static enum sampled
read_frame(struct app *a, const struct frame **f)
{
	struct sampling *s = &a->sampling;
	struct err e = { ERR_NONE, "" };

	*f = NULL;
	switch (a->source->ops->read(a->source, s->sample, &e)) {
	case SOURCE_END:
		note_notice(a);
		return SAMPLED_END;
	case SOURCE_ERROR:
		return reading_failed(a, &e);
	case SOURCE_OK:
		break;
	}
	s->worked = true;
	s->failed = 0;
	note_notice(a);
	/* A tick can come in time, and the reading take the time. */
	if (s->sample->cost_ns > a->period_ns / 2)
		monitor_late(a->monitor, 0, true);
	if (a->source->info.ends && s->sample->set != NULL)
		sampling_rates_follow(a, s->sample->set);
	*f = monitor_feed(a->monitor, s->sample);
	watching_take(a, *f);
	if (a->source->info.ends && replay_is_before(a->source))
		return SAMPLED_NOTHING;
	return *f != NULL ? SAMPLED_FRAME : SAMPLED_NOTHING;
}

void
sampling_rates_follow(struct app *a, const struct eventset *set)
{
	unsigned changed[EVENTSET_MAX];
	unsigned n = user_rates_follow(&a->user, set, changed);

	for (unsigned i = 0; i < n; i++)
		monitor_redefined(a->monitor, changed[i]);
}

void
sampling_baseline(struct app *a)
{
	const struct frame *f;

	(void)read_frame(a, &f);
}

/*
 * Has anything been counted, ever? What the kernel counts without a counter is
 * nothing where --require-pmu asks for the processor's.
 */
static void
note_counts(struct app *a)
{
	struct sampling *s = &a->sampling;
	const struct frame *f = a->frame;
	const struct span *all = &f->span[frame_scope_all(f)];
	int ipc = metric_find("ipc");

	uint32_t own = a->o->require_pmu ? eventset_own(f->set) : 0;

	s->counted = s->counted || span_has_fixed(all);
	for (unsigned i = 0; i < f->set->len && !s->counted; i++)
		s->counted = span_has_slot(all, i) && (own >> i & 1) == 0;
	if (!s->counted && ipc >= 0)
		s->held = frame_state(f, frame_scope_all(f), (unsigned)ipc) ==
			  VALUE_HELD;
}

enum sampled
sampling_take(struct app *a)
{
	const struct frame *f;
	enum sampled what = read_frame(a, &f);

	if (what != SAMPLED_FRAME)
		return what;
	a->frame = f;
	a->sampling.frames++;
	note_counts(a);
	note_doubt(a);
	note_dead(a);
	return what;
}
