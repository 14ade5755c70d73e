/* The event picker's state, without drawing. */
#ifndef UI_VIEW_PICKER_H
#define UI_VIEW_PICKER_H

#include "model/event.h"
#include "ui/view/request.h"

#include <stdbool.h>

enum { PICKER_SEARCH_SIZE = 24 };

struct picker {
	/* Of the source; outlives the screen. NULL: none. */
	const struct catalog *catalog;
	bool naming;
	bool again; /* the next letter starts a new search */
	bool tells;
	char search[PICKER_SEARCH_SIZE];
	unsigned at, top, rows; /* row of matches; first and number shown */
	struct ui_events chosen;
	const uint64_t *refused;
	unsigned nrefused;
	const struct event *now[EVENTSET_MAX];
	unsigned nnow;
	bool known;
	bool wanted; /* f was pressed before it was known */
};

enum picker_end { PICKER_STAYS, PICKER_SAYS, PICKER_CLOSES, PICKER_COUNTS };

/* The set in force can be the start of a choice. */
void picker_in_force(struct picker *p, const struct eventset *set);

/* Of the search: how many; number i, or NULL. */
unsigned picker_matches(const struct picker *p);
const struct event *picker_match(const struct picker *p, unsigned i);

bool picker_has(const struct picker *p, const struct event *event);

/* Is the event known to be refused? */
bool picker_refused(const struct picker *p, const struct event *event);

/* Does it fit with the chosen events? If not, *e says why. */
bool picker_fits(const struct picker *p, const struct event *event,
		 struct err *e);

/*
 * The latest chosen event that would make room, preferably no divisor of rates;
 * NULL: it fits, or none helps.
 */
const struct event *picker_find_conflict(const struct picker *p,
					 const struct event *event);

/* Would it fit without `gone`? */
bool picker_makes_room(const struct picker *p, const struct event *gone,
		       const struct event *event);

/* Counters used by the choice, and left. */
unsigned picker_counters_used(const struct picker *p);
unsigned picker_counters_free(const struct picker *p);

/* Counters that events can be placed on. */
uint32_t picker_counters(const struct catalog *c);

/* Where it is counted: "any", "5 6 7", "fixed", "none" (needs no counter). */
void picker_format_places(const struct picker *p, const struct event *event,
			  char *buf, unsigned size);

/* *say: a message for the user, or unchanged. */
enum picker_end picker_key(struct picker *p, int key, struct err *say);

#endif
