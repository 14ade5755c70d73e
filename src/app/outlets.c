/* Recordings and batch text: where frames go beside the screen. */
#include "app/state.h"

#include "base/plural.h"
#include "out/place.h"
#include "recording/replay.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAME_SIZE = 64, NAMES_MAX = 1000 };

static uint64_t
mix(uint64_t x)
{
	/* splitmix64's finish: near inputs become unlike ids. */
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* What stands in the files that are gone on with. */
static uint64_t
bytes_before(const struct options *o)
{
	uint64_t n = 0;

	if (o->append && o->csv != NULL)
		n += place_bytes(o->csv);
	if (o->append && o->json != NULL)
		n += place_bytes(o->json);
	return n;
}

/* FNV-1a, with the end of each text in it. */
static uint64_t
add_text(uint64_t x, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		x = (x ^ (unsigned char)*text) * 0x100000001b3u;
	return (x ^ 0xff) * 0x100000001b3u;
}

/* All that decides what a stepped source will say, but for how long. */
static uint64_t
asked_for(const struct app *a)
{
	static const char *const option[] = { "delay",  "events", "hold",
					      "ipc",    "lazy",   "preset",
					      "rotate", "user" };
	uint64_t x = add_text(0xcbf29ce484222325u, a->o->source.sim);

	for (unsigned i = 0; i < option_count; i++)
		for (unsigned k = 0; k < sizeof option / sizeof *option; k++)
			if (strcmp(option_table[i].name, option[k]) == 0)
				x = add_text(x, a->o->given[i]);
	return a->o->nreplay > 0 ? add_text(x, replay_run(a->source)) : x;
}

/*
 * A stepped clock gives the same id each time, as everything else, and another
 * to another machine, seed, set or recording, and behind what an earlier run
 * wrote.
 */
static uint64_t
draw_run_id(const struct app *a)
{
	struct stamp now;

	clock_now(a->clock, &now);
	uint64_t x = mix((uint64_t)now.wall_ns), before;

	if (a->clock->stepped) {
		before = bytes_before(a->o);
		x = mix(x ^ asked_for(a));
		return before == 0 ? x : mix(x ^ mix(before));
	}
	return mix(x ^ mix((uint64_t)now.elapsed_ns) ^ (uint64_t)getpid());
}

static void
fill_about(const struct app *a, struct outlet *out, unsigned which)
{
	const struct source_info *i = &a->source->info;

	out->about = (struct sink_about){
		.source = i->ends ? i->origin : i->source,
		.model = i->model,
		.chip = i->chip,
		.os = i->os,
		.simulated = i->simulated,
		.topology = i->topology,
		.metric = a->metric,
		.nmetrics = monitor_metric_count(a->monitor),
		.run_id = draw_run_id(a),
		.rows = a->o->csv_rows,
		.force = a->o->force,
		.append = a->o->append,
		.rotate_bytes = a->o->csv_rotate_bytes,
		.rotate_ns = a->o->csv_rotate_ns,
	};
	if (which == APP_TEXT)
		out->about.rows = 1u << SCOPE_CORE | 1u << SCOPE_CLUSTER |
				  1u << SCOPE_ALL;
}

static void
tell_notice(struct app *a, struct outlet *out)
{
	if (out->sink->notice[0] == '\0')
		return;
	app_say(a, out->sink->notice);
	out->sink->notice[0] = '\0';
}

static bool
keeps_rows(const struct app *a)
{
	return a->outlet[APP_CSV].sink != NULL ||
	       a->outlet[APP_JSON].sink != NULL;
}

/* A lazy source wakes every CPU while rows are kept. */
static void
tell_source(struct app *a)
{
	if (a->source != NULL)
		a->source->recording = keeps_rows(a);
}

bool
app_outlet_open(struct app *a, unsigned which, const char *target,
		struct err *e)
{
	struct outlet *out = &a->outlet[which];
	static const struct sink_ops *const kind[APP_OUTLETS] = {
		[APP_TEXT] = &sink_text,
		[APP_CSV] = &sink_csv,
		[APP_JSON] = &sink_json,
		[APP_OPENMETRICS] = &sink_openmetrics,
	};

	fill_about(a, out, which);
	if (which == APP_TEXT && !app_batch_rows(a, &out->about, e))
		return false;
	/* Two recordings that run side by side are of one run. */
	for (unsigned i = APP_CSV; i <= APP_JSON; i++)
		if (i != which && a->outlet[i].sink != NULL)
			out->about.run_id = a->outlet[i].about.run_id;
	out->frames = out->lost = 0;
	out->gone = false;
	if (!keeps_rows(a)) /* marks are numbered through a recording */
		a->marks = 0;
	(void)snprintf(out->name, sizeof out->name, "%s", target);
	out->sink = kind[which]->open(target, &out->about, e);
	if (out->sink == NULL)
		return false;
	tell_source(a);
	tell_notice(a, out);
	if ((which == APP_CSV || which == APP_JSON) && a->mark_file.fd < 0)
		marks_open(&a->mark_file);
	return true;
}

static void
update_state(struct outlet *out, bool *dead)
{
	out->sink->ops->state(out->sink, &out->lost, dead);
}

void
app_outlet_close(struct app *a, unsigned which)
{
	struct outlet *out = &a->outlet[which];
	bool dead;

	if (out->sink == NULL)
		return;
	update_state(out, &dead);
	out->sink->ops->close(out->sink);
	out->sink = NULL;
	tell_source(a);
	if (!keeps_rows(a)) /* from outside there is nothing to mark either */
		marks_close(&a->mark_file);
}

void
app_outlets_discard(struct app *a)
{
	for (unsigned i = 0; i < APP_OUTLETS; i++) {
		struct sink *s = a->outlet[i].sink;

		if (s == NULL || s->ops->discard == NULL)
			continue;
		s->ops->discard(s);
		a->outlet[i].sink = NULL;
	}
	tell_source(a);
}

/* Nobody reads any more: that ends what was only made to be read. */
static void
reader_gone(struct app *a, unsigned which)
{
	app_outlet_close(a, which);
	a->outlet[which].gone = true;
	if (a->screen)
		app_say(a, "the recording's reader is gone");
	else
		a->stop = true;
}

static void
outlet_frame(struct app *a, unsigned which)
{
	struct outlet *out = &a->outlet[which];
	struct err e = { ERR_NONE, "" };
	bool dead = false;

	bool written = out->sink->ops->frame(out->sink, a->frame, &e);

	tell_notice(a, out);
	if (written) {
		out->frames++;
		return;
	}
	update_state(out, &dead);
	if (dead)
		reader_gone(a, which);
	else if (e.text[0] != '\0')
		app_say(a, e.text);
}

void
app_outlets_frame(struct app *a)
{
	for (unsigned i = 0; i < APP_OUTLETS; i++)
		if (a->outlet[i].sink != NULL)
			outlet_frame(a, i);
	if (a->mark_waits)
		app_mark(a);
}

bool
app_outlets_machine(struct app *a, const struct topology *was, struct err *e)
{
	tell_source(a);
	for (unsigned i = 0; i < APP_OUTLETS; i++) {
		struct outlet *out = &a->outlet[i];
		uint64_t run = out->about.run_id;
		struct sink *s = out->sink;

		if (s == NULL)
			continue;
		fill_about(a, out, i);
		out->about.run_id = run;
		if (i == APP_TEXT && !app_batch_rows(a, &out->about, e))
			return false;
		if (s->ops->machine != NULL &&
		    !s->ops->machine(s, &out->about, was, e))
			return false;
	}
	return true;
}

void
app_outlets_flush(struct app *a)
{
	for (unsigned i = 0; i < APP_OUTLETS; i++) {
		struct sink *s = a->outlet[i].sink;
		struct err e = { ERR_NONE, "" };
		bool dead = false;

		if (s == NULL || s->ops->waiting(s) < 0)
			continue;
		if (s->ops->flush(s, &e))
			continue;
		update_state(&a->outlet[i], &dead);
		if (dead)
			reader_gone(a, i);
		else if (e.text[0] != '\0')
			app_say(a, e.text);
	}
}

void
app_pass_mark(struct app *a, const struct stamp *at, const char *text)
{
	/* The frame before it, but for the time. */
	struct frame f = *a->frame;
	int64_t later_ns = at->elapsed_ns - f.stamp.elapsed_ns;

	f.elapsed_s = fmax(f.elapsed_s + (double)later_ns * 1e-9, 0);
	f.stamp = *at;
	for (unsigned i = 0; i < APP_OUTLETS; i++) {
		struct sink *s = a->outlet[i].sink;
		struct err e = { ERR_NONE, "" };

		if (s == NULL || s->ops->mark == NULL)
			continue;
		if (!s->ops->mark(s, &f, text, &e) && e.text[0] != '\0')
			app_say(a, e.text);
	}
	if (a->screen)
		app_say(a, text);
}

static bool
takes_marks(const struct app *a)
{
	for (unsigned i = 0; i < APP_OUTLETS; i++)
		if (a->outlet[i].sink != NULL &&
		    a->outlet[i].sink->ops->mark != NULL)
			return true;
	return false;
}

void
app_mark(struct app *a)
{
	char text[MARKS_TEXT_SIZE];

	if (!takes_marks(a)) {
		a->mark_waits = false;
		app_say(a, "no mark: nothing is recorded; c starts a "
			   "recording");
		return;
	}
	/* A row needs a frame: the first one, if there is none yet. */
	if (!a->mark_waits)
		clock_now(a->clock, &a->mark_at);
	a->mark_waits = a->frame == NULL;
	if (a->mark_waits)
		return;
	if (!marks_take(&a->mark_file, text))
		(void)snprintf(text, sizeof text, "mark %u", ++a->marks);
	app_pass_mark(a, &a->mark_at, text);
}

/*
 * By the frame's time, which comes again in a recording that is gone back in:
 * then with a number. Only --force and --append are to meet what exists.
 */
static bool
name_recording(const struct app *a, char name[NAME_SIZE])
{
	char at[32];
	struct stat found;
	struct stamp now;
	struct tm tm;

	clock_now(a->clock, &now);
	time_t wall = (time_t)(now.wall_ns / 1000000000);

	if (localtime_r(&wall, &tm) == NULL ||
	    strftime(at, sizeof at, "ktop-%Y%m%d-%H%M%S", &tm) == 0)
		return false;
	(void)snprintf(name, NAME_SIZE, "%s.csv", at);
	for (unsigned i = 2; i < NAMES_MAX && !a->o->force && !a->o->append &&
			     lstat(name, &found) == 0;
	     i++)
		(void)snprintf(name, NAME_SIZE, "%s-%u.csv", at, i);
	return true;
}

void
app_toggle_recording(struct app *a)
{
	struct outlet *out = &a->outlet[APP_CSV];
	struct err e = { ERR_NONE, "" };
	char name[NAME_SIZE], said[320];

	if (out->sink != NULL) {
		app_outlet_close(a, APP_CSV);
		(void)snprintf(said, sizeof said, "recorded %llu %s to %s",
			       (unsigned long long)out->frames,
			       plural(out->frames, "frame", "frames"),
			       out->name);
		app_say(a, said);
		return;
	}
	if (!name_recording(a, name)) {
		app_say(a, "the clock tells no time to name a recording by");
		return;
	}
	if (!app_outlet_open(a, APP_CSV, name, &e)) {
		app_say(a, e.text);
		return;
	}
	(void)snprintf(said, sizeof said, "recording to %s", name);
	app_say(a, said);
}
