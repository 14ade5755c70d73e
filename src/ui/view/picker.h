/* Choosing events one by one: the state behind the picker, no drawing. */
#ifndef UI_VIEW_PICKER_H
#define UI_VIEW_PICKER_H

#include "model/event.h"
#include "ui/view/request.h"

#include <stdbool.h>

enum { PICKER_SEARCH_SIZE = 24 };

struct picker {
	/* The source's, which lives as long as the screen; NULL: none. */
	const struct catalog *catalog;
	bool naming; /* the name is typed, else the search */
	bool again;  /* an event was picked: the next letter begins a search */
	bool tells;  /* there is room to say why an event does not fit */
	char search[PICKER_SEARCH_SIZE];
	unsigned at, top,
		rows; /* row of the matches; first and how many shown */
	struct ui_events chosen;
	const uint64_t *refused; /* as in struct ui_status */
	unsigned nrefused;
	/* The set in force, as of the last draw. */
	const struct event *now[EVENTSET_MAX];
	unsigned nnow;
	bool known;  /* there was one */
	bool wanted; /* f was pressed before it */
};

enum picker_end {
	PICKER_STAYS,
	PICKER_SAYS, /* stays, with a sentence that is not on the screen */
	PICKER_CLOSES,
	PICKER_COUNTS
};

/* Which set is in force: an empty one can become it, to change from. */
void picker_in_force(struct picker *p, const struct eventset *set);

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

/*
 * The chosen event that would make room for this one, the latest of them, and
 * if it can be not one that rates are divided by; NULL: it fits, or none would.
 */
const struct event *picker_in_the_way(const struct picker *p,
				      const struct event *event);

/* Would the event fit if that chosen one went? */
bool picker_makes_room(const struct picker *p, const struct event *gone,
		       const struct event *event);

/* How many of them what is chosen takes, and how many are left. */
unsigned picker_taken(const struct picker *p);
unsigned picker_free(const struct picker *p);

/* Counters of the catalog that events can be placed on. */
uint32_t picker_counters(const struct catalog *c);

/* "any", "5 6 7", "fixed", "none" (it takes none): where it is counted. */
void picker_places(const struct picker *p, const struct event *event, char *buf,
		   unsigned size);

/* A key; what it comes to. *say is a sentence for the person, or untouched. */
enum picker_end picker_key(struct picker *p, int key, struct err *say);

#endif
