#include "base/clock.h"

#include <time.h>

static int64_t
read_ns(clockid_t id)
{
	struct timespec t = { 0, 0 };

	(void)clock_gettime(id, &t);
	return clock_ns(t.tv_sec, t.tv_nsec);
}

static void
system_now(void *self, struct stamp *out)
{
	(void)self;
	/* CLOCK_MONOTONIC excludes suspend, CLOCK_BOOTTIME includes it. */
	out->awake_ns = read_ns(CLOCK_MONOTONIC);
	out->elapsed_ns = read_ns(CLOCK_BOOTTIME);
	out->wall_ns = read_ns(CLOCK_REALTIME);
}

static const struct clock clock_of_system = { .now = system_now };

const struct clock *
clock_system(void)
{
	return &clock_of_system;
}
