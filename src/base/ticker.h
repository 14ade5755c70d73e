/* Deadlines on an absolute grid: a late tick never shifts the later ones. */
#ifndef BASE_TICKER_H
#define BASE_TICKER_H

#include <stdbool.h>
#include <stdint.h>

struct ticker {
	int64_t period_ns;
	int64_t next_ns;  /* awake time of the next deadline */
	int64_t short_ns; /* one extra deadline before it (after a swap); 0 */
};

/* The grid starts at now; the first deadline is one period later. */
void ticker_start(struct ticker *t, int64_t now_ns, int64_t period_ns);

/* An extra tick after `after_ns`, unless the grid's next one comes first. */
void ticker_soon(struct ticker *t, int64_t now_ns, int64_t after_ns);

/* When to wake up. */
int64_t ticker_deadline(const struct ticker *t);

/*
 * True when a deadline has come; steps past it. *missed: further deadlines of
 * the grid stepped over; *late_ns: how long after the deadline now is.
 */
bool ticker_due(struct ticker *t, int64_t now_ns, uint64_t *missed,
		int64_t *late_ns);

#endif
