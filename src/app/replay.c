/* Replaying: the recording's pace, its marks, and the way in. */
#include "app/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/drop_root.h"
#include "app/replay_spool.h"
#include "base/parse.h"
#include "recording/replay.h"
#include "ui/view/replay.h"

enum {
	SECOND_NS = 1000 * 1000 * 1000,
	PAUSE_MAX_S = 3,  /* longer sleeps of the recording are cut short */
	BEHIND_MAX_S = 2, /* more is given up */
	TRENDS = 600,     /* frames before the one gone to, for the trends */
	AT_ONCE = 400000, /* rows read for the chart of the run: a second */
	MOMENTS = INDEX_HAPPENINGS
};

/* Where a replay on the screen is, and how fast it goes. */
struct app_pace {
	double speed;
	bool paused, ended;
	bool anchored; /* rec_ns was shown at real_ns */
	int64_t real_ns, rec_ns;
	int64_t begin_ns; /* of the first frame, as replay_time */
	uint64_t read;    /* frames from the first, without a hole */
	struct ui_replay told;
	struct ui_moment moment[MOMENTS];
	const char *path[OPTIONS_ARGS_MAX];
	char spooled[32];
};

/* A large file takes seconds to look through: say how far it is. */
static void
tell_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	if (!isatty(STDERR_FILENO))
		return;
	if (all == 0)
		(void)fprintf(stderr, "\rreading: %llu MB",
			      (unsigned long long)(done >> 20));
	else
		(void)fprintf(stderr, "\rreading: %3u%% of %llu MB",
			      (unsigned)(done * 100 / all),
			      (unsigned long long)(all >> 20));
	(void)fflush(stderr);
}

static void
end_progress(void)
{
	if (isatty(STDERR_FILENO))
		(void)fprintf(stderr, "\r%40s\r", "");
}

/* On the screen "-" becomes a file that can be gone back in. */
static bool
spool(struct app *a, struct source_options *so, struct err *e)
{
	struct app_pace *p = a->pace;

	for (unsigned i = 0; i < so->nreplay; i++)
		p->path[i] = so->replay[i];
	so->replay = p->path;
	for (unsigned i = 0; i < so->nreplay; i++) {
		if (strcmp(p->path[i], "-") != 0)
			continue;
		p->path[i] = p->spooled;
		return replay_spool(p->spooled, sizeof p->spooled, e);
	}
	return true;
}

struct source *
app_replay_open(struct app *a, struct err *e)
{
	struct source_options so = a->o->source;
	struct replay_progress p = { tell_progress, NULL };

	if (!drop_root(e))
		return NULL;
	so.replay_index = a->screen;
	if (a->screen) {
		a->pace = calloc(1, sizeof *a->pace);
		if (a->pace == NULL) {
			(void)err_set(e, ERR_FAIL, "out of memory");
			return NULL;
		}
		a->pace->speed = a->o->speed;
		if (!spool(a, &so, e))
			return NULL;
	}
	struct source *s = replay_open(&so, a->screen ? &p : NULL, e);

	if (a->screen) {
		int64_t first_ns = 0, interval_ns = 0;

		end_progress();
		if (s != NULL && replay_next_time(s, &first_ns, &interval_ns))
			a->pace->begin_ns = first_ns - interval_ns;
	}
	return s;
}

/* What was read without a hole, the chart of the whole run has. */
static void
note_read(struct app *a)
{
	if (a->pace != NULL && replay_at(a->source) == a->pace->read)
		a->pace->read++;
}

static void
next_frame(struct app *a)
{
	uint64_t before = a->frames;

	app_follow_recording(a);
	if (a->stop)
		return;
	app_sample(a);
	if (a->frames == before)
		return;
	note_read(a);
	const struct recording_frame *f = replay_frame(a->source);

	/* Marks go into the outputs, as they did when it was live. */
	for (unsigned i = 0; f != NULL && i < f->nnotes; i++) {
		const struct recording_note *note = &f->note[i];
		struct stamp at = a->frame->stamp;

		at.wall_ns = note->wall_ns;
		at.elapsed_ns += note->elapsed_ns - f->elapsed_ns;
		if (note->kind == RECORDING_MARK)
			app_pass_mark(a, &at, note->text);
	}
	if (a->o->frames != 0 && a->frames >= a->o->frames)
		a->stop = true;
}

/* As fast as the outputs take it. */
static void
run_through(struct app *a)
{
	while (!a->stop) {
		app_wait(a, 0);
		while (!a->stop && app_held_back(a))
			app_wait(a, APP_FOR_EVER);
		if (!a->stop)
			next_frame(a);
		app_draw(a);
	}
}

/* ---- on the screen ---- */

static int64_t
real_now(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns;
}

/*
 * How long until the next frame is due; 0 also at the end. Time is counted
 * from an anchor, so that rounding and slow drawing do not add up.
 */
static int64_t
time_left(struct app *a)
{
	struct app_pace *p = a->pace;
	int64_t next_ns, interval_ns, now = real_now();

	if (a->frame == NULL ||
	    !replay_next_time(a->source, &next_ns, &interval_ns))
		return 0;
	if (!p->anchored) {
		p->anchored = true;
		p->real_ns = now;
		p->rec_ns = replay_time(a->source);
	}
	double gap = (double)(next_ns - replay_time(a->source));
	double most = (double)((int64_t)PAUSE_MAX_S * SECOND_NS);

	if (most < 1.5 * (double)interval_ns)
		most = 1.5 * (double)interval_ns;
	if (gap > most || gap < 0) { /* asleep: nobody wants to wait */
		p->real_ns = now;
		p->rec_ns = next_ns - (gap < 0 ? 0 : SECOND_NS);
	}
	int64_t left = p->real_ns +
		       (int64_t)((double)(next_ns - p->rec_ns) / p->speed) -
		       now;

	/* Stopped by somebody, or too slow: that is not made up for. */
	if (left < -(int64_t)BEHIND_MAX_S * SECOND_NS)
		p->anchored = false;
	return left;
}

/* The end is no reason to leave: people go back from it. */
static void
stay_at_end(struct app *a)
{
	if (!a->stop || a->code != 0 ||
	    (a->o->frames != 0 && a->frames >= a->o->frames))
		return;
	a->stop = false;
	a->pace->ended = true;
	a->pace->anchored = false;
}

static void
show_next(struct app *a)
{
	next_frame(a);
	stay_at_end(a);
}

static void
go_to(struct app *a, uint64_t frame)
{
	const struct recording_index *x = replay_index(a->source);
	uint64_t begin = frame > TRENDS ? frame - TRENDS : 0;
	struct err e = { ERR_NONE, "" };
	struct err none = { ERR_NONE, "" };

	if (frame >= x->frames)
		frame = x->frames - 1;
	if (begin > frame)
		begin = frame;
	if (begin > a->pace->read &&
	    begin - a->pace->read <= AT_ONCE / a->source->info.topology->ncpus)
		begin = a->pace->read;
	a->pace->ended = a->pace->anchored = false;
	if (!replay_go(a->source, begin, &e)) {
		app_fail(a, e.code != ERR_NONE ? &e : &none);
		return;
	}
	monitor_restart(a->monitor);
	for (uint64_t i = begin; i <= frame; i++) {
		if (a->source->ops->read(a->source, a->sample, &e) !=
		    SOURCE_OK) {
			app_fail(a, &e);
			return;
		}
		a->frame = monitor_feed(a->monitor, a->sample);
		note_read(a);
	}
}

/* The frame whose time is at least that much away from here. */
static uint64_t
frame_at(struct app *a, int64_t ns)
{
	const struct recording_index *x = replay_index(a->source);
	int64_t step = x->frames > 1 ? (x->length_ns - x->played_ns[0]) /
					       (int64_t)(x->frames - 1)
				     : 0;

	if (ns < x->played_ns[0])
		return 0;
	uint64_t frame = recording_index_at(x, ns);

	/* Within a stride frames are taken to be evenly spread. */
	if (x->stride > 1 && step > 0)
		frame += (uint64_t)((ns - x->played_ns[frame / x->stride]) /
				    step);
	return frame;
}

static void
jump(struct app *a, int64_t by_ns)
{
	go_to(a, frame_at(a, replay_time(a->source) + by_ns));
}

static void
change_speed(struct app *a, bool faster)
{
	static const double speed[] = { 0.125, 0.25, 0.5, 1,  2,  4,
					8,     16,   32,  64, 128 };
	enum { SPEEDS = sizeof speed / sizeof speed[0] };
	unsigned i = 0;
	char text[32];

	while (i + 1 < SPEEDS && speed[i] < a->pace->speed)
		i++;
	if (faster)
		i += i + 1 < SPEEDS && speed[i] <= a->pace->speed;
	else
		i -= i > 0;
	a->pace->speed = speed[i];
	a->pace->anchored = false;
	(void)snprintf(text, sizeof text, "speed x%g", a->pace->speed);
	app_say(a, text);
}

static void
to_happening(struct app *a, const struct index_happening *h)
{
	static const char *const what[] = {
		[INDEX_IS_MARK] = "mark", [INDEX_IS_SWAP] = "events",
		[INDEX_IS_GAP] = "a gap", [INDEX_IS_STOLEN] = "stolen",
		[INDEX_IS_LOST] = "lost", [INDEX_IS_RUN] = "run",
	};
	char text[80];

	if (h == NULL) {
		app_say(a, "there is no other mark or change of state");
		return;
	}
	a->pace->paused = true;
	go_to(a, h->frame);
	(void)snprintf(text, sizeof text, "%s: %s", what[h->what], h->text);
	app_say(a, text);
}

/* "1:30" or "1:02:03" to ns. */
static bool
parse_clock(const char *text, int64_t *ns)
{
	uint64_t all = 0, part;

	for (const char *at = text;; at++) {
		char word[16];
		size_t n = strcspn(at, ":");

		if (n == 0 || n >= sizeof word)
			return false;
		memcpy(word, at, n);
		word[n] = '\0';
		if (!parse_u64(word, 1000000, &part))
			return false;
		all = all * 60 + part;
		at += n;
		if (*at == '\0')
			break;
	}
	if (all > INT64_MAX / SECOND_NS)
		return false;
	*ns = (int64_t)all * SECOND_NS;
	return true;
}

static void
go_typed(struct app *a, const char *text)
{
	uint64_t frame;
	int64_t ns;

	if (parse_u64(text, UINT64_MAX, &frame)) {
		go_to(a, frame > 0 ? frame - 1 : 0); /* as they are shown */
	} else if ((strchr(text, ':') != NULL && parse_clock(text, &ns)) ||
		   parse_duration(text, &ns)) {
		go_to(a, frame_at(a, a->pace->begin_ns + ns));
	} else {
		app_say(a, "that is neither a frame (120) nor a time "
			   "(90s, 1:30)");
	}
}

static void
step_by(struct app *a, bool forth)
{
	uint64_t at = replay_at(a->source);

	a->pace->paused = true;
	a->pace->anchored = false;
	if (forth)
		show_next(a);
	else
		go_to(a, at > 0 ? at - 1 : 0);
}

void
app_replay_obey(struct app *a, int wish, const char *text)
{
	struct app_pace *p = a->pace;
	const struct recording_index *x =
		p != NULL ? replay_index(a->source) : NULL;

	if (x == NULL || a->frame == NULL)
		return;
	switch ((enum ui_replay_wish)wish) {
	case UI_REPLAY_PAUSE:
		p->paused = !p->paused;
		p->anchored = false;
		break;
	case UI_REPLAY_BACK:
	case UI_REPLAY_FORTH:
		step_by(a, wish == UI_REPLAY_FORTH);
		break;
	case UI_REPLAY_MINUTE_BACK:
		jump(a, INT64_C(-60) * SECOND_NS);
		break;
	case UI_REPLAY_MINUTE_FORTH:
		jump(a, INT64_C(60) * SECOND_NS);
		break;
	case UI_REPLAY_FIRST:
		go_to(a, 0);
		break;
	case UI_REPLAY_LAST:
		go_to(a, x->frames - 1);
		break;
	case UI_REPLAY_SLOWER:
	case UI_REPLAY_FASTER:
		change_speed(a, wish == UI_REPLAY_FASTER);
		break;
	case UI_REPLAY_NEXT:
		to_happening(a, recording_index_next(x, replay_at(a->source)));
		break;
	case UI_REPLAY_PREVIOUS:
		to_happening(a,
			     recording_index_before(x, replay_at(a->source)));
		break;
	case UI_REPLAY_GO:
		go_typed(a, text);
		break;
	}
}

static void
fill_moments(struct app_pace *p, const struct recording_index *x)
{
	static const char letter[] = {
		[INDEX_IS_MARK] = 'm', [INDEX_IS_SWAP] = 'w',
		[INDEX_IS_GAP] = 'g',  [INDEX_IS_STOLEN] = '!',
		[INDEX_IS_LOST] = 'x', [INDEX_IS_RUN] = '+',
	};

	for (unsigned i = 0; i < x->nhappenings; i++)
		p->moment[i] =
			(struct ui_moment){ x->happening[i].frame,
					    letter[x->happening[i].what] };
}

const struct ui_replay *
app_replay_status(const struct app *a)
{
	struct app_pace *p = a->pace;
	const struct recording_index *x =
		p != NULL ? replay_index(a->source) : NULL;

	if (x == NULL)
		return NULL;
	if (p->told.moment == NULL)
		fill_moments(p, x);
	p->told = (struct ui_replay){
		.at = replay_at(a->source),
		.frames = x->frames,
		.time_s = (double)(replay_time(a->source) - p->begin_ns) * 1e-9,
		.length_s = (double)(x->length_ns - p->begin_ns) * 1e-9,
		.speed = p->speed,
		.paused = p->paused,
		.ended = p->ended,
		.moment = p->moment,
		.nmoments = x->nhappenings,
	};
	return &p->told;
}

static void
play(struct app *a)
{
	struct app_pace *p = a->pace;

	app_draw(a);
	while (!a->stop) {
		int64_t left =
			p->paused || p->ended ? APP_FOR_EVER : time_left(a);

		if (left > 0) {
			app_wait(a, left);
			continue;
		}
		app_wait(a, 0);
		if (a->stop || p->paused || p->ended)
			continue;
		show_next(a);
		app_draw(a);
	}
}

void
app_replay_loop(struct app *a)
{
	if (a->pace != NULL)
		play(a);
	else
		run_through(a);
}
