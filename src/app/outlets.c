/* The outputs: recordings, batch text and exports. */
#include "app/state.h"
#include "base/plural.h"
#include "out/target.h"
#include "recording/replay.h"
#include "ui/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool
make_name_by_time(const struct app *a, const char *ending, unsigned n,
		  char name[NAMED_SIZE])
{
	char at[32], number[16] = "";
	struct stamp now;
	struct tm tm;

	clock_now(a->clock, &now);
	time_t wall = (time_t)(now.wall_ns / 1000000000);

	if (localtime_r(&wall, &tm) == NULL ||
	    strftime(at, sizeof at, "ktop-%Y%m%d-%H%M%S", &tm) == 0)
		return false;
	if (n > 1)
		snprintf(number, sizeof number, "-%u", n);
	snprintf(name, NAMED_SIZE, "%s%s%s", at, number, ending);
	return true;
}

enum { NAMES_MAX = 1000 };

static uint64_t
mix_bits(uint64_t x)
{
	/* The finisher of splitmix64 makes similar inputs differ. */
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static uint64_t
bytes_before(const struct options *o)
{
	uint64_t n = 0;

	for (unsigned i = 0; o->out.append && i < OUTPUTS; i++)
		if (sink_table[i]->records && o->out.file[i] != NULL)
			n += path_recorded_bytes(o->out.file[i]);
	return n;
}

/* FNV-1a of the text and a separator. */
static uint64_t
add_text(uint64_t x, const char *text)
{
	for (; text != NULL && *text != '\0'; text++)
		x = (x ^ (unsigned char)*text) * 0x100000001b3u;
	return (x ^ 0xff) * 0x100000001b3u;
}

static uint64_t
hash_options(const struct app *a)
{
	static const char *const option[] = { "delay",  "hold", "preset",
					      "rotate", "ipc",  "user",
					      "events", "lazy" };
	uint64_t x = add_text(0xcbf29ce484222325u, a->o->source.sim);

	for (unsigned i = 0; i < sizeof option / sizeof *option; i++)
		x = add_text(x, option_given(a->o, option[i]));
	return a->o->replay.n > 0 ? add_text(x, replay_reading(a->source)->run)
				  : x;
}

/* With a stepped clock the id is reproducible; it depends on machine, seed,
 * options, recording and existing output. */
static uint64_t
draw_run_id(const struct app *a)
{
	struct stamp now;

	clock_now(a->clock, &now);
	uint64_t x = mix_bits((uint64_t)now.wall_ns), before;

	if (a->clock->stepped) {
		before = bytes_before(a->o);
		x = mix_bits(x ^ hash_options(a));
		return before == 0 ? x : mix_bits(x ^ mix_bits(before));
	}
	return mix_bits(x ^ mix_bits((uint64_t)now.elapsed_ns) ^
			(uint64_t)getpid());
}

static double
traced_of(const void *app, const struct span *s, unsigned metric, bool *few)
{
	const struct app *a = app;

	return monitor_traced(a->monitor, s, metric, few);
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
		.rows = a->o->out.rows,
		.force = a->o->out.force,
		.append = a->o->out.append,
		.rotate_bytes = a->o->out.rotate_bytes,
		.rotate_ns = a->o->out.rotate_ns,
		.processes = a->o->out.processes,
		.labels = a->o->out.labels,
		.traced = traced_of,
		.traced_arg = a,
	};
	if (which == OUTPUT_TEXT)
		out->about.rows = 1u << SCOPE_CORE | 1u << SCOPE_CLUSTER |
				  1u << SCOPE_ALL;
}

static bool
batch_rows_of(void *arg, const struct frame *f, const unsigned **row,
	      unsigned *n)
{
	struct view *v = arg;

	v->f = f;
	v->topology = f->topology;
	if (!view_order(v, NULL))
		return false;
	*row = v->cores.order;
	*n = v->cores.norder;
	return true;
}

static bool
choose_rows(struct app *a, struct sink_about *about, struct err *e)
{
	const struct ui_options *look = &a->look;
	const struct ui_status s = { .user_preset = a->user.preset,
				     .nuser_presets = a->user.npresets,
				     .user_metric = a->user.metric,
				     .nuser_metrics = a->user.nmetrics };

	bool filters =
		look->filter != NULL && strcmp(look->filter, "none") != 0;

	if (!filters && !look->reverse &&
	    (look->sort == NULL || strcmp(look->sort, "cpu") == 0))
		return true;
	if (a->outlets.batch_view == NULL)
		a->outlets.batch_view = view_new(e);
	struct view *v = a->outlets.batch_view;

	if (v == NULL)
		return false;
	v->kind = VIEW_DETAIL; /* the view that always lists cores */
	v->cores.unfolded = true;
	v->list.reverse = look->reverse;
	view_sort_by(v, &s, look->sort != NULL ? look->sort : "cpu");
	if (filters)
		snprintf(v->list.filter, sizeof v->list.filter, "%s",
			 look->filter);
	about->choose = batch_rows_of;
	about->choose_arg = v;
	return true;
}

static void
report_sink_notice(struct app *a, struct outlet *out)
{
	if (out->sink->notice[0] == '\0')
		return;
	messages_add(&a->messages, "%s", out->sink->notice);
	out->sink->notice[0] = '\0';
}

static const struct outlet *
recording_of(const struct app *a)
{
	for (unsigned i = 0; i < OUTPUTS; i++)
		if (sink_table[i]->records && a->outlets.outlet[i].sink != NULL)
			return &a->outlets.outlet[i];
	return NULL;
}

/* A recording needs every row, so a lazy source must read all CPUs. */
static void
set_source_recording(struct app *a)
{
	if (a->source != NULL)
		a->source->recording = recording_of(a) != NULL;
}

static bool
open_outlet(struct app *a, unsigned which, const char *target, struct err *e)
{
	struct outlet *out = &a->outlets.outlet[which];
	const struct outlet *recording = recording_of(a);
	bool records = sink_table[which]->records;

	fill_about(a, out, which);
	if (which == OUTPUT_TEXT && !choose_rows(a, &out->about, e))
		return false;
	/* Recordings of the same run have the same run id. */
	if (records && recording != NULL)
		out->about.run_id = recording->about.run_id;
	out->frames = out->lost = 0;
	out->gone = false;
	if (recording == NULL) /* marker numbers start again */
		a->outlets.marks = 0;
	snprintf(out->name, sizeof out->name, "%s", target);
	out->sink = sink_table[which]->open(target, &out->about, e);
	if (out->sink == NULL)
		return false;
	set_source_recording(a);
	report_sink_notice(a, out);
	if (records && a->outlets.mark_file.fd < 0)
		marks_open(&a->outlets.mark_file);
	return true;
}

static void
update_state(struct outlet *out, bool *dead)
{
	sink_get_losses(out->sink, &out->lost, dead);
}

static void
close_outlet(struct app *a, unsigned which)
{
	struct outlet *out = &a->outlets.outlet[which];
	bool dead;

	if (out->sink == NULL)
		return;
	update_state(out, &dead);
	out->lost += out->sink->ops->close(out->sink);
	out->sink = NULL;
	set_source_recording(a);
	if (recording_of(a) == NULL)
		marks_close(&a->outlets.mark_file);
}

void
outlets_discard(struct app *a)
{
	for (unsigned i = 0; i < OUTPUTS_ALL; i++) {
		struct sink *s = a->outlets.outlet[i].sink;

		if (s == NULL || s->ops->discard == NULL)
			continue;
		s->ops->discard(s);
		a->outlets.outlet[i].sink = NULL;
	}
	set_source_recording(a);
}

static bool
handle_sink_error(struct app *a, unsigned which, const struct err *e)
{
	bool dead = false;

	update_state(&a->outlets.outlet[which], &dead);
	if (!dead) {
		if (e->text[0] != '\0')
			messages_add(&a->messages, "%s", e->text);
		return true;
	}
	/* The reader has ended; without a screen ktop ends, too. */
	close_outlet(a, which);
	a->outlets.outlet[which].gone = true;
	if (a->screen.wanted)
		messages_add(&a->messages,
			     "the reader of the recording has ended");
	return a->screen.wanted;
}

static bool
write_frame(struct app *a, unsigned which)
{
	struct outlet *out = &a->outlets.outlet[which];
	struct err e = { ERR_NONE, "" };

	bool written = out->sink->ops->frame(out->sink, a->frame, &e);

	report_sink_notice(a, out);
	if (written) {
		out->frames++;
		return true;
	}
	return handle_sink_error(a, which, &e);
}

bool
outlets_write_frame(struct app *a)
{
	bool wanted = true;

	for (unsigned i = 0; i < OUTPUTS_ALL; i++)
		if (a->outlets.outlet[i].sink != NULL)
			wanted = write_frame(a, i) && wanted;
	return wanted;
}

bool
outlets_change_topology(struct app *a, const struct topology *was,
			struct err *e)
{
	set_source_recording(a);
	for (unsigned i = 0; i < OUTPUTS_ALL; i++) {
		struct outlet *out = &a->outlets.outlet[i];
		uint64_t run = out->about.run_id;
		struct sink *s = out->sink;

		if (s == NULL)
			continue;
		fill_about(a, out, i);
		out->about.run_id = run;
		if (i == OUTPUT_TEXT && !choose_rows(a, &out->about, e))
			return false;
		if (s->ops->machine != NULL &&
		    !s->ops->machine(s, &out->about, was, e))
			return false;
	}
	return true;
}

bool
outlets_flush(struct app *a)
{
	bool wanted = true;

	for (unsigned i = 0; i < OUTPUTS_ALL; i++) {
		struct sink *s = a->outlets.outlet[i].sink;
		struct err e = { ERR_NONE, "" };

		if (s != NULL && sink_waiting_fd(s) >= 0 && !sink_flush(s, &e))
			wanted = handle_sink_error(a, i, &e) && wanted;
	}
	return wanted;
}

void
outlets_write_marker(struct app *a, const struct stamp *at, const char *text)
{
	/* A marker is written as the previous frame with a new time. */
	struct frame f = *a->frame;
	int64_t later_ns = at->elapsed_ns - f.stamp.elapsed_ns;

	f.elapsed_s = fmax(f.elapsed_s + (double)later_ns * 1e-9, 0);
	f.stamp = *at;
	for (unsigned i = 0; i < OUTPUTS_ALL; i++) {
		struct sink *s = a->outlets.outlet[i].sink;
		struct err e = { ERR_NONE, "" };

		if (s == NULL || s->ops->mark == NULL)
			continue;
		if (!s->ops->mark(s, &f, text, &e) && e.text[0] != '\0')
			messages_add(&a->messages, "%s", e.text);
	}
}

bool
outlets_keep_markers(const struct app *a)
{
	for (unsigned i = 0; i < OUTPUTS_ALL; i++)
		if (a->outlets.outlet[i].sink != NULL &&
		    a->outlets.outlet[i].sink->ops->mark != NULL)
			return true;
	return false;
}

static bool
name_recording(const struct app *a, char name[NAMED_SIZE])
{
	struct stat found;
	unsigned n = 1;

	do
		if (!make_name_by_time(a, ".csv", n, name))
			return false;
	while (++n < NAMES_MAX && !a->o->out.force && !a->o->out.append &&
	       lstat(name, &found) == 0);
	return true;
}

void
outlets_toggle_recording(struct app *a)
{
	struct outlet *out = &a->outlets.outlet[OUTPUT_CSV];
	struct err e = { ERR_NONE, "" };
	char name[NAMED_SIZE];

	if (out->sink != NULL) {
		close_outlet(a, OUTPUT_CSV);
		messages_add(&a->messages, "recorded %llu %s to %s",
			     (unsigned long long)out->frames,
			     plural(out->frames, "sample", "samples"),
			     out->name);
		return;
	}
	if (!name_recording(a, name)) {
		messages_add(
			&a->messages,
			"not recorded: the system clock has no valid time to name the file");
		return;
	}
	if (!open_outlet(a, OUTPUT_CSV, name, &e)) {
		bool barred = e.code == ERR_PERM || access(".", W_OK) != 0;

		messages_add(
			&a->messages, "%s%s", e.text,
			barred ? "; start ktop in a folder that you can write to"
			       : "");
		return;
	}
	if (a->process_reader.shown && a->o->out.processes == 0)
		messages_add(
			&a->messages,
			"recording cores to %s; start ktop with --processes to record processes too",
			name);
	else
		messages_add(&a->messages, "recording to %s", name);
}

/* A file that is read and appended to at once has no end. */
static bool
apart_from_replay(const struct options *o, unsigned which, struct err *e)
{
	const char *path = o->out.file[which];

	for (unsigned i = 0; i < o->replay.n; i++)
		if (strcmp(path, "-") != 0 &&
		    paths_same_file(path, o->replay.file[i]))
			return err_set(
				e, ERR_USAGE,
				"--%s %s is the recording that --replay reads; choose another file",
				sink_table[which]->name, path);
	return true;
}

static bool
apart_from_others(const struct options *o, unsigned which, struct err *e)
{
	const char *path = o->out.file[which];

	for (unsigned i = 0; i < which; i++)
		if (o->out.file[i] != NULL &&
		    paths_same_file(o->out.file[i], path))
			return err_set(
				e, ERR_USAGE,
				"--%s %s and --%s %s are the same file; choose another file for one of them",
				sink_table[i]->name, o->out.file[i],
				sink_table[which]->name, path);
	return true;
}

bool
outlets_check(const struct app *a, struct err *e)
{
	const struct options *o = a->o;
	enum target_mode mode = o->out.append  ? TARGET_APPEND
				: o->out.force ? TARGET_REPLACE
					       : TARGET_NEW;

	for (unsigned i = 0; i < OUTPUTS; i++)
		if (o->out.file[i] != NULL && (!apart_from_replay(o, i, e) ||
					       !apart_from_others(o, i, e)))
			return false;
	for (unsigned i = 0; i < OUTPUTS; i++)
		if (o->out.file[i] != NULL && sink_table[i]->records &&
		    !path_check_writable(o->out.file[i], mode, e))
			return false;
	return true;
}

static bool
open_outlets(struct app *a, bool records, struct err *e)
{
	for (unsigned i = 0; i < OUTPUTS; i++)
		if (a->o->out.file[i] != NULL &&
		    sink_table[i]->records == records &&
		    !open_outlet(a, i, a->o->out.file[i], e))
			return false;
	return true;
}

/* First the outputs that create no file before a frame, then recordings. */
bool
outlets_open(struct app *a, struct err *e)
{
	if ((a->text && !open_outlet(a, OUTPUT_TEXT, "-", e)) ||
	    !open_outlets(a, false, e) || !open_outlets(a, true, e))
		return false;
	/* A replay records processes only with --processes. */
	if (recording_of(a) != NULL && a->source->info.ends &&
	    a->source->info.processes && a->o->out.processes == 0)
		messages_add(
			&a->messages,
			"the processes of the recording are not recorded again; add --processes to keep them");
	return true;
}

void
outlets_close(struct app *a)
{
	for (unsigned i = 0; i < OUTPUTS_ALL; i++)
		close_outlet(a, i);
	marks_close(&a->outlets.mark_file);
	view_free(a->outlets.batch_view);
}

bool
outlets_hold_back(const struct app *a)
{
	for (unsigned i = 0; i < OUTPUTS_ALL; i++) {
		struct sink *s = a->outlets.outlet[i].sink;

		if (s != NULL && sink_waiting_fd(s) >= 0)
			return true;
	}
	return false;
}
