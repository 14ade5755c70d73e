/* Events as a machine's live database knows them, and the set being counted. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	EVENT_NAME_SIZE = 64, /* with the final NUL */
	EVENTSET_MAX = 10,    /* slots of a set; columns e1,c1 ... e10,c10 */
	EVENT_LABEL_SIZE = 7, /* with the final NUL */
	/* Counters from here on stand for none: the event needs no counter. */
	EVENT_FREE_FIRST = 16
};

/*
 * One countable event. Names are the canonical ones (Apple's database names:
 * INST_ALL, CORE_ACTIVE_CYCLE ...); a source for other hardware gives its
 * events those names where the meaning is the same, so that metrics and
 * presets need not know the machine.
 */
struct event {
	const char *name;
	const char *alias;    /* NULL: none */
	const char *fallback; /* name of the event that may stand in, or NULL */
	const char *text;     /* one clause, our wording; NULL: unknown */
	const char *native;   /* what the machine calls it; NULL: the same */
	const char *less;     /* event that it counts, too, and that metrics
				 subtract; NULL: none */
	uint32_t number;      /* selector; 0 for fixed events */
	uint32_t counters;    /* absolute counter bits it may be placed on */
	bool fixed;           /* lives on its own counter, takes no slot */
	bool narrow;          /* counts less than its name says */
	bool unlike;          /* kinds count different things under this name */
};

/* A few cells for the event: out of our table, or made of the name's words. */
void event_label(const char *name, char out[EVENT_LABEL_SIZE]);

/* All events of one PMU. The source owns it until it is closed. */
struct catalog {
	const char *name;          /* "a14", "cpu_core" */
	const struct event *event; /* sorted by name */
	unsigned len;
	uint32_t config_counters; /* absolute bits that slots can use */
};

/* By name or alias; NULL when the database has no such event. */
const struct event *catalog_find(const struct catalog *c, const char *name);

/* As catalog_find for the first n bytes of name. */
const struct event *catalog_find_n(const struct catalog *c, const char *name,
				   unsigned n);

/* As catalog_find for "A|B|C": the first of the names that exists. */
const struct event *catalog_find_any(const struct catalog *c,
				     const char *names);

enum domain {              /* which modes a count covers */
	      DOMAIN_NONE, /* nothing is counted */
	      DOMAIN_ALL,
	      DOMAIN_USER,
	      DOMAIN_KERNEL,
	      DOMAIN_MIXED /* the slots differ */
};
extern const char *const domain_name[]; /* "", "all", "user", ... */

struct slot {
	const struct event *event; /* in the catalog */
	unsigned counter;          /* absolute counter it was placed on */
};

/* Which events are counted together. Plain data; copy it freely. */
struct eventset {
	char name[32]; /* preset's name, or the user's; "" is IPC mode */
	unsigned len;
	struct slot
		slot[EVENTSET_MAX]; /* in order of placement (slots_place) */
	unsigned ndropped;          /* wanted but not placed */
	struct {
		const char *event;
		char why[80];
	} dropped[EVENTSET_MAX];
};

/*
 * 1 << slot of each that the system counts itself (Linux: SW_...): it needs no
 * counter, and never waits for one.
 */
uint32_t eventset_own(const struct eventset *s);

/* Slot of the event with that name, or that alias; -1: it is not in the set. */
int eventset_find_n(const struct eventset *s, const char *name, unsigned n);
int eventset_find(const struct eventset *s, const char *name);

/* The same events in the same order? Names and counters do not matter. */
bool eventset_same_events(const struct eventset *a, const struct eventset *b);

/* The same name, events and counters? What was dropped does not matter. */
bool eventset_same(const struct eventset *a, const struct eventset *b);

/* Notes that the event (borrowed) is not counted; `why` is cut to fit. */
void eventset_drop(struct eventset *s, const char *event, const char *why);

/* Slots that were dropped after all: placed, and refused or taken away. */
unsigned eventset_uncounted(const struct eventset *s);

/* What a recording's rows say of events whose counts are not what they seem. */

/* "counts nothing: INST_ALL; unlike: L2_MISS LLC_MISS" */
enum event_note {
	EVENT_NOTE_ZERO,  /* taken, and counts nothing: see zero_events.h */
	EVENT_NOTE_UNLIKE /* kinds count different things under the name */
};

/* Appends those of the set's events; slots are 1 << slot; nothing for none. */
void event_note_put(struct buf *b, enum event_note note,
		    const struct eventset *set, uint32_t slots);

/* Does the text, perhaps among other things, say so of the event? */
bool event_note_has(const char *text, enum event_note note, const char *event);

#endif
