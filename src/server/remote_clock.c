#include "server/remote_clock.h"

#include "base/clock.h"
#include "server/remote.h"

/* The server steps a clock to at most 2^61 ns (73 years), and sleep may add as
 * much, so that sums of two times stay in range. */
#define TIME_MOST_NS ((int64_t)1 << 62)
#define AHEAD_MOST_NS ((int64_t)1 << 61)
/* The offset of a server that was stopped between its readings of two clocks is
 * wrong by the time of the stop. */
#define BACK_MOST_NS ((int64_t)3600 * 1000 * 1000 * 1000)

enum { NOISE_NS = 1000000 };

static bool
time_is_within(int64_t t, int64_t least, int64_t most)
{
	return t >= least && t <= most;
}

static bool
offset_is_valid(const struct stamp *by)
{
	return time_is_within(by->awake_ns, -AHEAD_MOST_NS, AHEAD_MOST_NS) &&
	       time_is_within(by->elapsed_ns, -AHEAD_MOST_NS, AHEAD_MOST_NS) &&
	       time_is_within(by->wall_ns, -AHEAD_MOST_NS, AHEAD_MOST_NS);
}

static bool
moment_is_valid(const struct stamp *t, const struct stamp *after,
		int64_t back_ns)
{
	return time_is_within(t->awake_ns, 0, TIME_MOST_NS) &&
	       time_is_within(t->elapsed_ns, 0, TIME_MOST_NS) &&
	       time_is_within(t->wall_ns, 0, REMOTE_WALL_MOST_NS) &&
	       t->awake_ns >= after->awake_ns - back_ns &&
	       t->elapsed_ns >= after->elapsed_ns - back_ns;
}

static int64_t
offset_ignore_noise(int64_t old, int64_t new)
{
	int64_t by = new - old;

	return by < NOISE_NS && by > -NOISE_NS ? old : new;
}

void
remote_clock_now(const struct remote_clock *r, struct stamp *out)
{
	if (r->at.stepped) {
		*out = r->at.at;
		return;
	}
	clock_now(clock_system(), out);
	out->awake_ns += r->at.at.awake_ns;
	out->elapsed_ns += r->at.at.elapsed_ns;
	out->wall_ns += r->at.at.wall_ns;
}

void
remote_clock_begin(struct remote_clock *r, const struct wire_clock *c)
{
	*r = (struct remote_clock){ .at.stepped = c->stepped };
	if (!c->stepped && offset_is_valid(&c->at))
		r->at = *c;
}

bool
remote_clock_update(struct remote_clock *r, const struct wire_clock *c)
{
	const struct stamp *by = &r->at.at;
	struct remote_clock is = { .at = *c };
	struct stamp now;

	if (!c->stepped && !offset_is_valid(&c->at))
		return false;
	remote_clock_now(&is, &now);
	if (!moment_is_valid(&now, &r->last, c->stepped ? 0 : BACK_MOST_NS))
		return false;
	r->last = now;
	if (!c->stepped) {
		is.at.at.awake_ns =
			offset_ignore_noise(by->awake_ns, c->at.awake_ns);
		is.at.at.elapsed_ns =
			offset_ignore_noise(by->elapsed_ns, c->at.elapsed_ns);
		is.at.at.wall_ns =
			offset_ignore_noise(by->wall_ns, c->at.wall_ns);
	}
	r->at = is.at;
	return true;
}

bool
remote_clock_check_reading(struct remote_clock *r, const struct stamp *at,
			   int64_t cost_ns, int64_t apart_ns)
{
	if (!moment_is_valid(at, &r->read, 0) ||
	    !time_is_within(cost_ns, 0, TIME_MOST_NS) ||
	    !time_is_within(apart_ns, 0, TIME_MOST_NS))
		return false;
	r->read = *at;
	return true;
}
