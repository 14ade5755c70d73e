/* A recording that is gone to and fro in, and what can be asked about it. */
#include "recording/replay.h"

#include <stddef.h>

#include "recording/replay_state.h"

const struct recording_frame *
replay_frame(const struct source *s)
{
	const struct replay *p = replay_of_const(s);

	return p->read_one && !p->held ? p->frame : NULL;
}

const char *
replay_run(const struct source *s)
{
	return replay_of_const(s)->run;
}

uint64_t
replay_at(const struct source *s)
{
	return replay_of_const(s)->at;
}

int64_t
replay_tick(const struct source *s)
{
	return replay_of_const(s)->tick_ns;
}

/* Frames of a live run are some microseconds longer or shorter than asked. */
static int64_t
rounded(int64_t ns)
{
	enum { MS = 1000000 };

	return ns >= 10 * MS ? (ns + MS / 2) / MS * MS : ns;
}

static bool
is_near(int64_t a, int64_t b)
{
	return a <= b + b / 5 && b <= a + a / 5;
}

/* One frame alone of another length was late, or cut by a change of events. */
void
replay_follow_tick(struct replay *p, int64_t interval_ns, bool begins)
{
	if (interval_ns <= 0)
		return;
	if (p->tick_ns == 0 || begins) {
		p->tick_ns = rounded(interval_ns);
		p->other_ns = 0;
	} else if (is_near(interval_ns, p->tick_ns)) {
		p->other_ns = 0;
	} else if (p->other_ns > 0 && is_near(interval_ns, p->other_ns)) {
		p->tick_ns = rounded(interval_ns);
		p->other_ns = 0;
	} else {
		p->other_ns = interval_ns;
	}
}

int64_t
replay_time(const struct source *s)
{
	return replay_of_const(s)->time_ns;
}

bool
replay_outdated(struct source *s)
{
	struct replay *p = replay_of(s);

	if (p->index != NULL)
		return false;
	replay_look_ahead(p);
	return p->ahead == RECORDING_FRAME && replay_has_news(p, p->frame);
}

bool
replay_next_time(struct source *s, int64_t *ns, int64_t *interval_ns)
{
	struct replay *p = replay_of(s);
	struct recording_runs runs = p->runs;
	bool new_run;

	replay_look_ahead(p);
	if (p->ahead != RECORDING_FRAME)
		return false;
	*ns = recording_runs_time(&runs, p->frame, &new_run);
	*interval_ns = replay_interval(p, p->frame);
	return true;
}

const struct recording_index *
replay_index(const struct source *s)
{
	return replay_of_const(s)->index;
}

bool
replay_go(struct source *s, uint64_t frame, struct err *e)
{
	struct replay *p = replay_of(s);

	if (p->index == NULL)
		return err_set(e, ERR_USAGE,
			       "a recording that comes through a pipe cannot "
			       "be gone back in");
	if (frame >= p->index->frames)
		frame = p->index->frames - 1;
	if (!recording_index_go(p->index, p->recording, frame, e))
		return false;
	p->held = false;
	p->next = frame;
	p->before_known = false;
	p->tick_ns = 0;
	recording_index_run(p->index, frame, &p->runs);
	return true;
}

const char *
replay_notice(const struct source *s)
{
	const struct replay *p = replay_of_const(s);
	const char *notice = recording_notice(p->recording);

	return notice[0] != '\0' ? notice : p->left_out;
}

uint64_t
replay_bytes(const struct source *s)
{
	return recording_bytes(replay_of_const(s)->recording);
}
