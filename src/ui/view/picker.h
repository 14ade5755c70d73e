/* Choosing events one by one: the state behind the picker, no drawing. */
#ifndef UI_VIEW_PICKER_H
#define UI_VIEW_PICKER_H

#include "model/event.h"
#include "ui/view/request.h"

#include <stdbool.h>

enum { PICKER_SEARCH_SIZE = 24 };

struct picker {
	const struct catalog *catalog; /* the source's; NULL: none */
	bool fresh;  /* takes the set in force with the next draw */
	bool naming; /* the name is typed, not the search */
	bool tells;  /* there is room to say why an event does not fit */
	char search[PICKER_SEARCH_SIZE];
	unsigned at, top,
		rows; /* row of the matches; first and how many shown */
	struct ui_events chosen;
	const uint64_t *refused; /* as in struct ui_status */
	unsigned nrefused;
	bool changed; /* chosen differs from what was in force at first */
};

enum picker_end { PICKER_STAYS, PICKER_CLOSES, PICKER_COUNTS };

/* Starts again, with nothing chosen; the catalog lives as long as the screen.
 */
void picker_open(struct picker *p, const struct catalog *c);

/* The set in force, to change from; only once after opening. */
void picker_start_from(struct picker *p, const struct eventset *set);

/* Matches of the search: how many, and number i (NULL behind the last). */
unsigned picker_matches(const struct picker *p);
const struct event *picker_match(const struct picker *p, unsigned i);

bool picker_has(const struct picker *p, const struct event *event);

/* Is it known that the system would not count it? */
bool picker_refused(const struct picker *p, const struct event *event);

/*
 * Would the event fit together with the chosen ones? If not, *e says what
 * stands in the way.
 */
bool picker_fits(const struct picker *p, const struct event *event,
		 struct err *e);

/* How many of them what is chosen takes. */
unsigned picker_taken(const struct picker *p);

/* Counters of the catalog that events can be placed on. */
uint32_t picker_counters(const struct catalog *c);

/* "any", "5 6 7", "fixed", "none" (it takes none): where it is counted. */
void picker_places(const struct picker *p, const struct event *event, char *buf,
		   unsigned size);

/* A key; what it comes to. *say is a sentence for the person, or untouched. */
enum picker_end picker_key(struct picker *p, int key, struct err *say);

#endif
