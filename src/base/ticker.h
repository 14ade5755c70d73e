/* Deadlines on a fixed grid: a late interval does not delay the next ones. */
#ifndef BASE_TICKER_H
#define BASE_TICKER_H

#include <stdbool.h>
#include <stdint.h>

struct ticker {
	int64_t period_ns;
	int64_t next_ns;  /* next deadline of the grid, awake time */
	int64_t short_ns; /* extra deadline before next_ns (after an event
			     change); 0: none */
};

void ticker_start(struct ticker *t, int64_t now_ns, int64_t period_ns);

/* Sets an extra deadline after_ns from now_ns; none if next_ns comes first. */
void ticker_soon(struct ticker *t, int64_t now_ns, int64_t after_ns);

int64_t ticker_deadline(const struct ticker *t);

/* True if the deadline has passed; then sets the next deadline. *missed: number
 * of later deadlines of the grid that have passed too. *late_ns: time since the
 * deadline. */
bool ticker_due(struct ticker *t, int64_t now_ns, uint64_t *missed,
		int64_t *late_ns);

#endif
