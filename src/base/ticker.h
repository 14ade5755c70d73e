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

/* The first deadline is one period after now_ns. */
void ticker_start(struct ticker *t, int64_t now_ns, int64_t period_ns);

/* Adds a deadline after_ns from now_ns, unless next_ns is earlier. */
void ticker_soon(struct ticker *t, int64_t now_ns, int64_t after_ns);

int64_t ticker_deadline(const struct ticker *t);

/* True at a deadline; advances to the next one. *missed: number of further
 * deadlines that passed; *late_ns: time since the deadline. */
bool ticker_due(struct ticker *t, int64_t now_ns, uint64_t *missed,
		int64_t *late_ns);

#endif
