/* The event picker's state, without drawing. */
#ifndef UI_VIEW_PICKER_H
#define UI_VIEW_PICKER_H

#include "model/event.h"
#include "ui/view/request.h"

#include <stdbool.h>

enum { PICKER_SEARCH_SIZE = 24 };

struct picker {
	/* The source's catalog; outlives the screen. NULL: none. */
	const struct catalog *catalog;
	bool naming;
	bool again; /* the next letter starts a new search */
	bool describes;
	char search[PICKER_SEARCH_SIZE];
	unsigned at, top,
		rows; /* cursor; first and number of visible matches */
	struct ui_events chosen;
	const uint64_t *refused;
	unsigned nrefused;
	const struct event *now[EVENTSET_MAX];
	unsigned nnow;
	bool known;
	bool wanted; /* f was pressed before the catalog was known */
};

enum picker_end { PICKER_STAYS, PICKER_SAYS, PICKER_CLOSES, PICKER_COUNTS };

/* Starts with the current events. */
void picker_in_force(struct picker *p, const struct eventset *set);

/* Number of matches; match i, or NULL. */
unsigned picker_matches(const struct picker *p);
const struct event *picker_match(const struct picker *p, unsigned i);

bool picker_has(const struct picker *p, const struct event *event);

/* Is the event known to be refused? */
bool picker_refused(const struct picker *p, const struct event *event);

/* Does it fit with the chosen events? If not, *e has the reason. */
bool picker_fits(const struct picker *p, const struct event *event,
		 struct err *e);

/* The latest chosen event that conflicts with `event`, if possible not cycles
 * or instructions; NULL: it fits, or removing one event does not help. */
const struct event *picker_find_conflict(const struct picker *p,
					 const struct event *event);

/* Would it fit if `gone` were removed? */
bool picker_makes_room(const struct picker *p, const struct event *gone,
		       const struct event *event);

/* Counters that the chosen events use; free counters. */
unsigned picker_counters_used(const struct picker *p);
unsigned picker_counters_free(const struct picker *p);

/* Counters that events can be placed on. */
uint32_t picker_counters(const struct catalog *c);

/* The event's counters: "any", "5 6 7", "fixed", "none" (needs no counter). */
void picker_format_places(const struct picker *p, const struct event *event,
			  char *buf, unsigned size);

/* say: set to a message for the user, if any. */
enum picker_end picker_key(struct picker *p, int key, struct err *say);

#endif
