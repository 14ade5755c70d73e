/* The event picker's state, without drawing. */
#ifndef UI_VIEW_PICKER_H
#define UI_VIEW_PICKER_H

#include "model/event.h"
#include "ui/view/request.h"

#include <stdbool.h>

enum { PICKER_SEARCH_SIZE = 24 };

struct picker {
	/* The source's catalog, valid as long as the screen. NULL: none. */
	const struct catalog *catalog;
	bool naming;
	bool again; /* the next letter starts a new search */
	bool describes;
	char search[PICKER_SEARCH_SIZE];
	unsigned at, top, rows; /* cursor, first match shown, matches shown */
	struct ui_events chosen;
	const uint64_t *refused;
	unsigned nrefused;
	const struct event *now[EVENTSET_MAX];
	unsigned nnow;
	bool known;
	bool wanted; /* key + was pressed before `known` was set */
};

enum picker_end { PICKER_STAYS, PICKER_SAYS, PICKER_CLOSES, PICKER_COUNTS };

/* Stores the currently counted events, which key + selects. */
void picker_in_force(struct picker *p, const struct eventset *set);

unsigned picker_matches(const struct picker *p);
const struct event *picker_match(const struct picker *p, unsigned i);

bool picker_has(const struct picker *p, const struct event *event);

bool picker_refused(const struct picker *p, const struct event *event);

/* True if the event fits beside the chosen events; else *e has the reason. */
bool picker_fits(const struct picker *p, const struct event *event,
		 struct err *e);

/* The latest chosen event whose removal lets `event` fit, if possible not
 * cycles or instructions. NULL: `event` is chosen or fits, or there is no such
 * event. */
const struct event *picker_find_conflict(const struct picker *p,
					 const struct event *event);

bool picker_makes_room(const struct picker *p, const struct event *gone,
		       const struct event *event);

unsigned picker_counters_used(const struct picker *p);
unsigned picker_counters_free(const struct picker *p);

uint32_t picker_counters(const struct catalog *c);

/* Writes the event's counters: "any", "5 6 7", "fixed", "none" (not needed),
 * "n/a". */
void picker_format_places(const struct picker *p, const struct event *event,
			  char *buf, unsigned size);

/* Handles a key. *say: message for the user, if any. */
enum picker_end picker_key(struct picker *p, int key, struct err *say);

#endif
