/* Clocks of a real machine, a stepped simulation or a recording */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

/* One moment on three clocks. awake_ns and elapsed_ns have no fixed origin. */
struct stamp {
	int64_t awake_ns;   /* monotonic, excludes system sleep */
	int64_t elapsed_ns; /* monotonic, includes system sleep */
	int64_t wall_ns;    /* since 1970-01-01 UTC; may jump */
};

/* A source's clock. The time of a stepped clock passes only in step(). */
struct clock {
	void *self;
	bool stepped;
	void (*now)(void *self, struct stamp *out);
	/* Advances a stepped clock to until_ns, never backwards. */
	void (*step)(void *self, int64_t until_ns);
};

/* Saturates at INT64_MAX (as wall time: 2262-04-11). */
static inline int64_t
clock_ns(int64_t seconds, int64_t part_ns)
{
	return seconds < INT64_MAX / 1000000000 ? seconds * 1000000000 + part_ns
						: INT64_MAX;
}

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

/* A stepped clock advances by ns instead of sleeping. */
void clock_pause(const struct clock *c, int64_t ns);

#endif
