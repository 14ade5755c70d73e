/* The little language of a metric's terms: "NEW|OLD+OTHER". */
#ifndef MODEL_TERM_H
#define MODEL_TERM_H

#include "model/event.h"
#include "model/metric.h"

#include <stdbool.h>

enum { TERM_SUM_MAX = 4 }; /* names in one alternative */

/* Where a term's count comes from: a slot, or one of the pseudo events. */
enum term_source {
	TERM_SLOT, /* + index of the slot */
	TERM_CYCLES = EVENTSET_MAX,
	TERM_INSTRUCTIONS,
	/* The fixed pair over exactly the time of the slots: after a swap that
	   is less than the frame. */
	TERM_SLOT_CYCLES,
	TERM_SLOT_INSTRUCTIONS,
	TERM_COUNTS, /* sources that are counts; times follow */
	TERM_BUSY_NS = TERM_COUNTS,
	TERM_WALL_NS,
	TERM_CPU_NS,
	TERM_EVENT_NS,
	TERM_NOTHING,
	TERM_SOURCES
};

/* Names of one alternative, borrowed from the term's text. */
struct term_names {
	unsigned n;
	const char *at[TERM_SUM_MAX];
	unsigned len[TERM_SUM_MAX];
};

/* Takes the next alternative off *text; false when none is left. */
bool term_next(const char **text, struct term_names *out);

/* enum term_source of a pseudo event, or -1. */
int term_pseudo(const char *name, unsigned len);

/* The events of a term on a machine; n is 0 where it names times only. */
struct term_events {
	unsigned n;
	const struct event *event[TERM_SUM_MAX];
};

/* The first alternative of which c (may be NULL) has every event. */
bool term_resolve(const char *text, const struct catalog *c,
		  struct term_events *out);

#endif
