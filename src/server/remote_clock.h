/*
 * A server's clock, and the times of its readings, as far as they are believed:
 * a broken server must not break the sums made of them.
 */
#ifndef SERVER_REMOTE_CLOCK_H
#define SERVER_REMOTE_CLOCK_H

#include "server/wire.h"

struct remote_clock {
	struct wire_clock at; /* as the server last said, within the noise */
	struct stamp last;    /* what that was the time, when it came */
	struct stamp read;    /* of the last reading */
};

void remote_clock_now(const struct remote_clock *r, struct stamp *out);

/* For a source just opened, of which nothing has been said before. */
void remote_clock_begin(struct remote_clock *r, const struct wire_clock *c);

/* Takes what an answer says; false, and nothing is taken: no clock says it. */
bool remote_clock_update(struct remote_clock *r, const struct wire_clock *c);

/* The same for a reading's times. */
bool remote_clock_check_reading(struct remote_clock *r, const struct stamp *at,
				int64_t cost_ns, int64_t apart_ns);

#endif
