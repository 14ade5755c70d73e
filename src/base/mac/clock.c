#include "base/clock.h"

#include <time.h>

static void
system_now(void *self, struct stamp *out)
{
	(void)self;
	/* CLOCK_UPTIME_RAW excludes sleep, CLOCK_MONOTONIC_RAW includes it. */
	out->awake_ns = (int64_t)clock_gettime_nsec_np(CLOCK_UPTIME_RAW);
	out->elapsed_ns = (int64_t)clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW);
	uint64_t wall = clock_gettime_nsec_np(CLOCK_REALTIME);

	out->wall_ns = clock_ns((int64_t)(wall / 1000000000),
				(int64_t)(wall % 1000000000));
}

static const struct clock clock_of_system = { .now = system_now };

const struct clock *
clock_system(void)
{
	return &clock_of_system;
}
