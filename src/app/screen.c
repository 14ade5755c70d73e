/* The screen: what it is told before a drawing, and what its keys ask for. */
#include "app/state.h"

#include <math.h>
#include <signal.h>
#include <sys/resource.h>

#include "recording/replay.h"

enum { SECOND_NS = 1000 * 1000 * 1000, MILLISECOND_NS = 1000 * 1000 };

static int64_t
timeval_ns(struct timeval t)
{
	return (int64_t)t.tv_sec * SECOND_NS + (int64_t)t.tv_usec * 1000;
}

/* Own share of one CPU over the last second or more. */
static void
measure_own_cost(struct app *a)
{
	struct stamp now;
	struct rusage use;

	clock_now(clock_system(), &now);
	int64_t passed = now.awake_ns - a->cost_at_ns;

	if (a->message_until_ns != 0 && now.awake_ns > a->message_until_ns) {
		a->message[0] = '\0';
		a->message_until_ns = 0;
	}
	if (passed < SECOND_NS || getrusage(RUSAGE_SELF, &use) != 0)
		return;
	int64_t cpu = timeval_ns(use.ru_utime) + timeval_ns(use.ru_stime);

	if (a->cost_at_ns != 0)
		a->own_cpu_pct =
			100.0 * (double)(cpu - a->cost_cpu_ns) / (double)passed;
	a->cost_at_ns = now.awake_ns;
	a->cost_cpu_ns = cpu;
}

static enum ui_mode
mode_of(const struct app *a)
{
	switch (a->source->info.mode) {
	case SOURCE_FULL:
		return UI_MODE_FULL;
	case SOURCE_IPC:
		return UI_MODE_IPC;
	case SOURCE_BUSY_ONLY:
		break;
	}
	return UI_MODE_BUSY;
}

static const char *
why_not_full(const struct app *a)
{
	if (a->source->info.mode == SOURCE_FULL)
		return "";
	if (a->ipc)
		return "IPC mode, as asked for; i takes the counters";
	if (a->source->info.why.text[0] != '\0')
		return a->source->info.why.text;
	return a->why.text;
}

static struct ui_status
status_of(const struct app *a)
{
	const struct source_info *i = &a->source->info;
	const struct outlet *csv = &a->outlet[APP_CSV];

	return (struct ui_status){
		.source = i->source,
		.model = i->model,
		.chip = i->chip,
		.os = i->os,
		.simulated = i->simulated,
		.machines = a->machines,
		.stepped = a->clock->stepped,
		.mode = mode_of(a),
		.why = why_not_full(a),
		.why_code = i->why.text[0] != '\0' ? i->why.code : a->why.code,
		.notice = i->notice,
		.message = a->message,
		.period_ns = i->ends ? replay_tick(a->source) : a->period_ns,
		.preset = i->set != NULL && i->set->len > 0
				  ? user_preset_find(&a->user, i->set->name)
				  : -1,
		.preset_possible = a->preset_possible,
		.preset_refused = a->preset_refused,
		.catalog = i->catalog,
		.refused = a->refused.bit,
		.nrefused = REFUSED_WORDS * 64,
		.user_preset = a->user.preset,
		.nuser_presets = a->user.npresets,
		.user_metric = a->user.metric,
		.nuser_metrics = a->user.nmetrics,
		.recording = csv->sink != NULL,
		.record_path = csv->name,
		.record_lost = csv->lost,
		.record_frames = csv->frames,
		.rotating = a->rotating,
		.rotation = a->rotation,
		.rotate = a->rotate,
		.nrotate = a->nrotate,
		.own_cpu_pct = a->own_cpu_pct,
		.interrupts_per_read = i->interrupts_per_read,
		.skipped_refreshes = a->skipped_refreshes,
		.ended = a->stop || a->holding,
		.replay = a->source->info.ends ? app_replay_status(a) : NULL,
	};
}

void
app_draw(struct app *a)
{
	if (a->ui == NULL)
		return;
	measure_own_cost(a);
	refused_begin(&a->refused, a->source->info.catalog, a->source->info.os);
	struct ui_status s = status_of(a);

	if (ui_output_fd(a->ui) >= 0)
		a->skipped_refreshes++;
	if (!ui_draw(a->ui, a->monitor, a->frame, &s)) {
		a->stop = true;
		a->code = 128 + SIGHUP;
	}
}

static void
change_interval(struct app *a, int64_t ms)
{
	struct err e = { ERR_NONE, "" };
	struct stamp now;

	if (ms <= 0)
		return;
	if (!app_period_ok(a, ms * MILLISECOND_NS, &e)) {
		app_say(a, e.text);
		return;
	}
	a->period_ns = ms * MILLISECOND_NS;
	monitor_period(a->monitor, a->period_ns);
	clock_now(a->clock, &now);
	ticker_start(&a->ticker, now.awake_ns, a->period_ns);
}

/* What only counters can do, and no recording. */
static bool
chooses(enum ui_request_kind kind)
{
	return kind == UI_PRESET || kind == UI_EVENTS || kind == UI_IPC ||
	       kind == UI_RETRY || kind == UI_ROTATE;
}

static void
obey(struct app *a, struct ui_request r)
{
	if (r.kind != UI_NONE)
		a->message[0] = '\0'; /* a key ends what was said before */
	if (a->holding && r.kind != UI_QUIT && r.kind != UI_SUSPEND) {
		if (r.kind != UI_NONE)
			app_say(a, "no more frames come; q leaves");
		return;
	}
	if (chooses(r.kind) && !app_may_choose(a))
		return;
	switch (r.kind) {
	case UI_NONE:
		break;
	case UI_QUIT:
		a->stop = true;
		break;
	case UI_PRESET:
		if (r.arg >= 0 && r.arg < (int64_t)user_preset_count(&a->user))
			app_swap(a, (int)r.arg);
		break;
	case UI_INTERVAL:
		change_interval(a, r.arg);
		break;
	case UI_IPC:
		app_toggle_ipc(a);
		break;
	case UI_RETRY:
		app_retry(a);
		break;
	case UI_RECORD:
		app_toggle_recording(a);
		break;
	case UI_MARK:
		app_mark(a);
		break;
	case UI_ROTATE:
		app_toggle_rotation(a);
		break;
	case UI_EVENTS:
		app_count_events(a, r.events);
		break;
	case UI_SAVE:
		app_save(a, &r);
		break;
	case UI_REPLAY:
		app_replay_obey(a, (int)r.arg, r.text);
		break;
	case UI_SUSPEND:
		app_suspend(a);
		break;
	}
}

void
app_input(struct app *a)
{
	bool redraw = false, changed = false;
	struct ui_request r;

	do {
		r = ui_input(a->ui, &redraw);
		changed = changed || redraw || r.kind != UI_NONE;
		obey(a, r);
	} while (r.kind != UI_NONE && !a->stop);
	/* While nothing moves, no later frame would show it. */
	if ((changed || ui_owes(a->ui)) && !a->stop)
		app_draw(a);
}
