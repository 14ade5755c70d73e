#include "base/clock.h"

#include <errno.h>
#include <time.h>

void
clock_pause(const struct clock *c, int64_t ns)
{
	struct timespec t = { .tv_sec = (time_t)(ns / 1000000000),
			      .tv_nsec = (long)(ns % 1000000000) };
	struct stamp now;

	if (c->stepped) {
		clock_now(c, &now);
		c->step(c->self, now.awake_ns + ns);
		return;
	}
	while (nanosleep(&t, &t) != 0 && errno == EINTR)
		;
}
