/* What time it is, for a real machine, a stepped simulation or a recording. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* One moment in three clocks; only differences of the first two mean a time. */
struct stamp {
	int64_t awake_ns;   /* monotonic, stands still in system sleep */
	int64_t elapsed_ns; /* monotonic, runs through system sleep */
	int64_t wall_ns;    /* since 1970-01-01 UTC; may jump */
};

/*
 * A clock that a source brings along. `stepped` clocks never let time pass by
 * itself: step() moves them to a moment at once, and nobody sleeps.
 */
struct clock {
	void *self;
	bool stepped;
	void (*now)(void *self, struct stamp *out);
	/* Stepped clocks only: awake_ns becomes `until_ns` (never backwards).
	 */
	void (*step)(void *self, int64_t until_ns);
};

/* Nanoseconds of a time; of one after 2262-04-11 the most there are. */
static inline int64_t
clock_ns(int64_t seconds, int64_t part_ns)
{
	return seconds < INT64_MAX / 1000000000 ? seconds * 1000000000 + part_ns
						: INT64_MAX;
}

/* The system's clocks; file linux/clock.c or mac/clock.c. */
const struct clock *clock_system(void);

static inline void
clock_now(const struct clock *c, struct stamp *out)
{
	c->now(c->self, out);
}

static inline int64_t
clock_awake_ns(const struct clock *c)
{
	struct stamp now;

	clock_now(c, &now);
	return now.awake_ns;
}

/* Lets `ns` pass: asleep, or by a step where nobody sleeps. */
void clock_pause(const struct clock *c, int64_t ns);

#endif
