/*
 * The counter server's clock, and the times of its readings, as the screen
 * side believes them: a broken server must not break the sums made of them.
 */
#ifndef SERVER_REMOTE_CLOCK_H
#define SERVER_REMOTE_CLOCK_H

#include "server/wire.h"

#include <stdbool.h>
#include <stdint.h>

/* Wall clocks began in 1970; this is in March 2189. */
#define REMOTE_WALL_MOST_NS (((int64_t)1 << 62) / 2 * 3)

struct remote_clock {
	struct wire_clock at; /* as the server last said, within the noise */
	struct stamp last;    /* what that was the time, when it came */
	struct stamp read;    /* of the last reading */
};

/* For a source just opened, of which nothing has been said before. */
void remote_clock_begin(struct remote_clock *r, const struct wire_clock *c);

/* Takes what an answer says; false, and nothing is taken: no clock says it. */
bool remote_clock_set(struct remote_clock *r, const struct wire_clock *c);

/* The same for a reading's times. */
bool remote_clock_read(struct remote_clock *r, const struct stamp *at,
		       int64_t cost_ns, int64_t apart_ns);

void remote_clock_now(const struct remote_clock *r, struct stamp *out);

#endif
