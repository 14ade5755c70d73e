/* The server's clock. Its times are checked, so that a faulty server cannot
 * break sums. */
#ifndef SERVER_REMOTE_CLOCK_H
#define SERVER_REMOTE_CLOCK_H

#include "server/wire.h"

struct remote_clock {
	struct wire_clock at; /* offset from the system's clock, without noise;
				 of a stepped clock: its time */
	struct stamp
		last; /* time on the server's clock when `at` was last set */
	struct stamp read;
};

void remote_clock_now(const struct remote_clock *r, struct stamp *out);

void remote_clock_begin(struct remote_clock *r, const struct wire_clock *c);

bool remote_clock_update(struct remote_clock *r, const struct wire_clock *c);

bool remote_clock_check_reading(struct remote_clock *r, const struct stamp *at,
				int64_t cost_ns, int64_t apart_ns);

#endif
