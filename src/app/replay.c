/* Replay of a recording: speed, jumps, markers, input. */
#include "app/state.h"
#include "base/fd.h"
#include "base/parse.h"
#include "model/sample.h"
#include "process/caller.h"
#include "recording/replay.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PAUSE_MAX_S = 3,  /* longer gaps are shortened */
	BEHIND_MAX_S = 2, /* longer delays are not made up */
	TRENDS = 600,     /* frames to read before a jump's target */
	AT_ONCE = 400000, /* most rows read to complete the run's chart */
	MOMENTS = INDEX_HAPPENINGS
};

struct replay_pace {
	double speed;
	bool paused, ended;
	bool anchored; /* the frame of time due_frame_ns is due at due_ns */
	int64_t due_ns, due_frame_ns;
	int64_t begin_ns;
	uint64_t read;
	struct ui_replay shown;
	struct ui_moment moment[MOMENTS];
	const char *path[OPTIONS_ARGS_MAX];
	char spooled[32];
};

static void
tell_progress(void *arg, uint64_t done, uint64_t all)
{
	(void)arg;
	if (!isatty(STDERR_FILENO))
		return;
	if (all == 0)
		fprintf(stderr, "\rreading: %llu MB",
			(unsigned long long)(done >> 20));
	else
		fprintf(stderr, "\rreading: %3u%% of %llu MB",
			(unsigned)(done * 100 / all),
			(unsigned long long)(all >> 20));
	(void)fflush(stderr);
}

static int
open_nameless(struct err *e)
{
	const char *folder = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (folder == NULL || folder[0] == '\0')
		folder = "/tmp";
	snprintf(name, sizeof name, "%s/ktop-replay-XXXXXX", folder);
	fd = mkstemp(name);
	if (fd < 0) {
		err_set(e, ERR_FAIL, "%s: %s", name, strerror(errno));
		return -1;
	}
	(void)unlink(name);
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static bool
copy_input(int from, int to)
{
	char buf[4096];
	ssize_t n = 1, written = 0;

	while (n > 0 && fd_await_input(from)) {
		n = read(from, buf, sizeof buf);
		if (n < 0 && errno == EINTR)
			n = 1;
		else
			for (ssize_t at = 0; at < n; at += written)
				if ((written = write(to, buf + at,
						     (size_t)(n - at))) < 0)
					return false;
		if (n == 0)
			return true;
	}
	return false;
}

/* Copies a recording on standard input to an unnamed file, for a screen. path:
 * /dev/fd/N, open until ktop ends. The terminal becomes standard input, for
 * keys. */
static bool
keep_input(char *path, size_t size, struct err *e)
{
	int fd = open_nameless(e), tty;

	if (fd < 0)
		return false;
	if (!copy_input(STDIN_FILENO, fd) || lseek(fd, 0, SEEK_SET) != 0)
		return err_set(
			e, ERR_FAIL,
			"cannot keep a copy of the recording on standard input: %s",
			strerror(errno));
	tty = open("/dev/tty", O_RDWR);
	if (tty < 0 || dup2(tty, STDIN_FILENO) < 0)
		return err_set(
			e, ERR_FAIL,
			"no terminal to read keys from (/dev/tty: %s); use -b for text",
			strerror(errno));
	close(tty);
	snprintf(path, size, "/dev/fd/%d", fd);
	return true;
}

static bool
copy_piped_recording(struct app *a, struct source_options *so, struct err *e)
{
	struct replay_pace *p = a->pace;

	for (unsigned i = 0; i < so->nreplay; i++)
		p->path[i] = so->replay[i];
	so->replay = p->path;
	for (unsigned i = 0; i < so->nreplay; i++) {
		if (strcmp(p->path[i], "-") != 0)
			continue;
		p->path[i] = p->spooled;
		return keep_input(p->spooled, sizeof p->spooled, e);
	}
	return true;
}

struct source *
replay_open_source(struct app *a, struct err *e)
{
	struct source_options so = a->o->source;
	struct replay_progress p = { tell_progress, NULL };

	if (!drop_root(e))
		return NULL;
	so.replay_index = a->screen.wanted;
	if (a->screen.wanted) {
		a->pace = calloc(1, sizeof *a->pace);
		if (a->pace == NULL)
			return err_null(e, ERR_FAIL, "out of memory");
		a->pace->speed = a->o->replay.speed;
		if (!copy_piped_recording(a, &so, e))
			return NULL;
	}
	struct source *s = replay_open(&so, a->screen.wanted ? &p : NULL, e);

	if (a->screen.wanted) {
		int64_t first_ns = 0, interval_ns = 0;

		if (isatty(STDERR_FILENO))
			fprintf(stderr, "\r%40s\r", "");
		if (s != NULL && replay_next_time(s, &first_ns, &interval_ns))
			a->pace->begin_ns = first_ns - interval_ns;
	}
	return s;
}

static void
update_run_chart(struct app *a)
{
	if (a->pace != NULL && replay_reading(a->source)->at == a->pace->read)
		a->pace->read++;
}

void
replay_note_frame(struct app *a)
{
	update_run_chart(a);
	const struct recording_frame *f = replay_frame(a->source);

	for (unsigned i = 0; f != NULL && i < f->nnotes; i++) {
		const struct recording_note *note = &f->note[i];
		struct stamp at = a->frame->stamp;

		at.wall_ns = note->wall_ns;
		at.elapsed_ns += note->elapsed_ns - f->elapsed_ns;
		if (note->kind == RECORDING_MARK)
			marking_add_recorded(a, &at, note->text);
	}
}

/* Returns the ns until the next frame is due; 0: now, or the end. The due time
 * follows from the previous one, so that delays do not add up. */
int64_t
replay_next_frame_ns(struct app *a)
{
	struct replay_pace *p = a->pace;
	int64_t next_ns, interval_ns, now = clock_awake_ns(clock_system());

	if (a->frame == NULL ||
	    !replay_next_time(a->source, &next_ns, &interval_ns))
		return 0;
	if (!p->anchored)
		p->due_ns = now;
	if (!p->anchored || p->due_frame_ns != next_ns) {
		double gap =
			(double)(next_ns - replay_reading(a->source)->time_ns);

		/* A longer gap, such as system sleep, lasts a second. */
		if (gap >
		    fmax((double)PAUSE_MAX_S * 1e9, 1.5 * (double)interval_ns))
			gap = SECOND_NS;
		p->due_ns += (int64_t)(fmax(gap, 0) / p->speed);
		p->due_frame_ns = next_ns;
	}
	/* After a stop, or if ktop is too slow, the delay is not made up. */
	p->anchored = p->due_ns - now >= -(int64_t)BEHIND_MAX_S * SECOND_NS;
	return p->due_ns - now;
}

bool
replay_is_resting(const struct app *a)
{
	return a->pace->paused || a->pace->ended;
}

void
replay_stay_at_end(struct app *a)
{
	a->pace->ended = true;
	a->pace->anchored = false;
}

static bool
seek_to_frame(struct app *a, uint64_t frame, struct err *e)
{
	const struct recording_index *x = replay_index(a->source);
	struct sample *sample = a->sampling.sample;
	uint64_t begin = frame > TRENDS ? frame - TRENDS : 0;

	if (frame >= x->frames)
		frame = x->frames - 1;
	if (begin > frame)
		begin = frame;
	if (begin > a->pace->read &&
	    begin - a->pace->read <= AT_ONCE / a->source->info.topology->ncpus)
		begin = a->pace->read;
	a->pace->ended = a->pace->anchored = false;
	if (!replay_seek(a->source, begin, e))
		return false;
	monitor_restart(a->monitor);
	for (uint64_t i = begin; i <= frame; i++) {
		if (a->source->ops->read(a->source, sample, e) != SOURCE_OK)
			return false;
		a->frame = monitor_feed(a->monitor, sample);
		process_reader_read(a, a->frame);
		update_run_chart(a);
	}
	return true;
}

/* Estimates the last frame at or before ns. */
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

	/* Between two indexed frames the others are assumed evenly spaced. */
	if (x->stride > 1 && step > 0)
		frame += (uint64_t)((ns - x->played_ns[frame / x->stride]) /
				    step);
	return frame;
}

static bool
jump_in_replay(struct app *a, int64_t by_s, struct err *e)
{
	return seek_to_frame(a,
			     frame_at(a, replay_reading(a->source)->time_ns +
						 by_s * SECOND_NS),
			     e);
}

static void
change_speed(struct app *a, bool faster)
{
	double now = log2(a->pace->speed);
	double next = faster ? floor(now) + 1 : ceil(now) - 1;

	a->pace->speed = exp2(fmin(fmax(next, -3), 7));
	a->pace->anchored = false;
	messages_add(&a->messages, "speed x%g", a->pace->speed);
}

static const struct {
	char letter;
	const char *word;
} happening[] = {
	[INDEX_IS_MARK] = { 'm', "mark" },
	[INDEX_IS_SWAP] = { 'w', "events" },
	[INDEX_IS_GAP] = { 'g', "a gap" },
	[INDEX_IS_TAKEN_OVER] = { '!', "taken over" },
	[INDEX_IS_LOST] = { 'x', "lost" },
	[INDEX_IS_RUN] = { '+', "run" },
};

static void
notice_marker(struct app *a, const struct index_happening *h)
{
	char plain[32];

	snprintf(plain, sizeof plain, "mark %u", h->number);
	if (strcmp(plain, h->text) == 0)
		messages_add(&a->messages, "%s", plain);
	else
		messages_add(&a->messages, "%s: %s", plain, h->text);
}

static bool
jump_to_happening(struct app *a, const struct index_happening *h, struct err *e)
{
	if (h == NULL) {
		messages_add(&a->messages,
			     "there is no other marker or change of state");
		return true;
	}
	a->pace->paused = true;
	if (h->what == INDEX_IS_MARK)
		notice_marker(a, h);
	else
		messages_add(&a->messages, "%s: %s", happening[h->what].word,
			     h->text);
	return seek_to_frame(a, h->frame, e);
}

static bool
jump_to_typed(struct app *a, const char *text, struct err *e)
{
	uint64_t frame;
	int64_t ns;

	if (parse_u64(text, UINT64_MAX, &frame))
		return seek_to_frame(
			a,
			recording_index_numbered(replay_index(a->source),
						 replay_reading(a->source)->at,
						 frame),
			e);
	if (parse_clock(text, &ns) || parse_duration(text, &ns))
		return seek_to_frame(a, frame_at(a, a->pace->begin_ns + ns), e);
	messages_add(&a->messages,
		     "enter a sample (120) or a time (90s, 1:30)");
	return true;
}

static bool
handle_replay_key(struct app *a, enum ui_replay_action action, const char *text,
		  struct err *e)
{
	const struct recording_index *x = replay_index(a->source);
	uint64_t at = replay_reading(a->source)->at;
	struct replay_pace *p = a->pace;

	switch (action) {
	case UI_REPLAY_PAUSE:
		p->paused = !p->paused;
		p->anchored = false;
		break;
	case UI_REPLAY_FORTH:
	case UI_REPLAY_BACK:
		p->paused = true;
		p->anchored = false;
		return action == UI_REPLAY_FORTH ||
		       seek_to_frame(a, at > 0 ? at - 1 : 0, e);
	case UI_REPLAY_MINUTE_BACK:
		return jump_in_replay(a, -60, e);
	case UI_REPLAY_MINUTE_FORTH:
		return jump_in_replay(a, 60, e);
	case UI_REPLAY_FIRST:
		return seek_to_frame(a, 0, e);
	case UI_REPLAY_LAST:
		return seek_to_frame(a, x->frames - 1, e);
	case UI_REPLAY_SLOWER:
	case UI_REPLAY_FASTER:
		change_speed(a, action == UI_REPLAY_FASTER);
		break;
	case UI_REPLAY_NEXT:
		return jump_to_happening(a, recording_index_next(x, at), e);
	case UI_REPLAY_PREVIOUS:
		return jump_to_happening(a, recording_index_before(x, at), e);
	case UI_REPLAY_GO:
		return jump_to_typed(a, text, e);
	}
	return true;
}

bool
replay_handle_key(struct app *a, enum ui_replay_action action, const char *text,
		  bool *next, struct err *e)
{
	*next = false;
	if (a->pace == NULL || replay_index(a->source) == NULL ||
	    a->frame == NULL)
		return true;
	*next = action == UI_REPLAY_FORTH;
	return handle_replay_key(a, action, text, e);
}

const struct ui_replay *
replay_status(const struct app *a)
{
	struct replay_pace *p = a->pace;
	const struct recording_index *x =
		p != NULL ? replay_index(a->source) : NULL;

	if (x == NULL)
		return NULL;
	for (unsigned i = 0; p->shown.moment == NULL && i < x->nhappenings; i++)
		p->moment[i] = (struct ui_moment){
			x->happening[i].frame,
			happening[x->happening[i].what].letter
		};
	p->shown = (struct ui_replay){
		.at = replay_reading(a->source)->at,
		.number = a->frame != NULL ? a->frame->seq : x->number[0],
		.last = recording_index_last_number(
			x, replay_reading(a->source)->at),
		.frames = x->frames,
		.time_s = (double)(replay_reading(a->source)->time_ns -
				   p->begin_ns) *
			  1e-9,
		.length_s = (double)(x->length_ns - p->begin_ns) * 1e-9,
		.speed = p->speed,
		.paused = p->paused,
		.ended = p->ended,
		.moment = p->moment,
		.nmoments = x->nhappenings,
	};
	return &p->shown;
}
