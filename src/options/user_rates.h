/* Rates of events that were chosen by name, as metrics of the person's own. */
#ifndef OPTIONS_USER_RATES_H
#define OPTIONS_USER_RATES_H

#include "options/user.h"
#include "source/source.h"

/*
 * One for each event of `asked` (--events; NULL: none) or, where the source is
 * a recording, of its first set if that is no preset; then of own presets that
 * name events, while there is room: so they are columns wherever metrics are.
 * Those that are there already stay.
 */
void user_add_rates(struct user *u, const struct source_info *i,
		    const char *asked);

/*
 * Spare metrics, for events that are chosen while ktop runs; once they are
 * there, more calls change nothing. They are the last of u->metric.
 */
void user_add_spares(struct user *u);

/*
 * Such a set comes into force: a spare metric becomes the rate of each of its
 * events that has none. Which did, as the monitor counts metrics, into
 * changed; returns how many. Allocates nothing.
 */
unsigned user_rates_follow(struct user *u, const struct eventset *set,
			   unsigned changed[EVENTSET_MAX]);

/* The events of --events; false and *e: c has not all of them. */
bool user_find_events(const struct catalog *c, const char *at,
		      const struct event *event[EVENTSET_MAX], unsigned *n,
		      struct err *e);

#endif
