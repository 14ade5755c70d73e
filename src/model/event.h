/* A machine's events, and the set being counted. */
#ifndef MODEL_EVENT_H
#define MODEL_EVENT_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	EVENT_NAME_SIZE = 64, /* with NUL */
	EVENTSET_MAX = 10,    /* columns e1,c1 ... e10,c10 */
	EVENT_LABEL_SIZE = 7, /* with NUL */
	/* Counter numbers from here on are for events that need no counter. */
	EVENT_FREE_FIRST = 16
};

/*
 * An event. If Apple's database has an event of this meaning, `name` is Apple's
 * on all machines (INST_ALL, CORE_ACTIVE_CYCLE ...), so that metrics and
 * presets work on all of them.
 */
struct event {
	const char *name;
	const char *alias;    /* second name, or NULL */
	const char *fallback; /* event to use instead, or NULL */
	const char *text;     /* description, one clause; NULL: none */
	const char *native;   /* the machine's own name, or NULL */
	const char *less;     /* event that the count includes and that metrics
				 subtract, or NULL */
	uint32_t number;      /* hardware's event number; 0: fixed */
	uint32_t counters;    /* bits of the counters that can count it */
	bool fixed;           /* has a fixed counter */
	bool narrow;          /* counts less than its name suggests */
	bool unlike;          /* has another meaning on some kinds of core */
};

/* Writes the label of label_table, or an abbreviation of the name. */
void event_label(const char *name, char out[EVENT_LABEL_SIZE]);

/* All events of a PMU; valid until the source is closed. */
struct catalog {
	const char *name;          /* "a14", "cpu_core" */
	const struct event *event; /* sorted by name */
	unsigned len;
	uint32_t config_counters; /* bits of configurable counters */
};

/* Searches names and aliases; NULL: none. */
const struct event *catalog_find(const struct catalog *c, const char *name);

/* As catalog_find, for the first n bytes of name. */
const struct event *catalog_find_n(const struct catalog *c, const char *name,
				   unsigned n);

/* Returns the first existing event of "A|B|C"; NULL: none. */
const struct event *catalog_find_any(const struct catalog *c,
				     const char *names);

enum domain {              /* modes of a count */
	      DOMAIN_NONE, /* nothing is counted */
	      DOMAIN_ALL,
	      DOMAIN_USER,
	      DOMAIN_KERNEL,
	      DOMAIN_MIXED /* events count different modes */
};
extern const char *const domain_name[]; /* "", "all", "user", ... */

struct slot {
	const struct event *event; /* in the catalog */
	unsigned counter;          /* number in the hardware */
};

/* Events that are counted together. */
struct eventset {
	char name[32]; /* preset or "custom"; "": fixed counters only */
	unsigned len;
	struct slot slot[EVENTSET_MAX]; /* sorted by counter */
	unsigned ndropped;              /* requested, but not counted */
	struct {
		const char *event;
		char why[80];
	} dropped[EVENTSET_MAX];
};

/* Bits of the events that the kernel counts without a PMU (Linux: SW_...). */
uint32_t eventset_own(const struct eventset *s);

/* Searches names and aliases; -1: none. */
int eventset_find_n(const struct eventset *s, const char *name, unsigned n);
int eventset_find(const struct eventset *s, const char *name);

/* Compares events and their order; names and counters may differ. */
bool eventset_same_events(const struct eventset *a, const struct eventset *b);

/* Compares names, events and counters, but not dropped events. */
bool eventset_same(const struct eventset *a, const struct eventset *b);

/* Notes why the event (borrowed) is not counted; a long `why` is cut. */
void eventset_drop(struct eventset *s, const char *event, const char *why);

/* Number of events that were placed, but then refused or lost. */
unsigned eventset_uncounted(const struct eventset *s);

/* Notes in a recording: "counts nothing: INST_ALL; unlike: L2_MISS" */
enum event_note {
	EVENT_NOTE_ZERO,  /* the event counts nothing */
	EVENT_NOTE_UNLIKE /* it has another meaning on some kinds of core */
};

/* Appends the note about the events with bits in slots; 0: nothing. */
void event_note_put(struct buf *b, enum event_note note,
		    const struct eventset *set, uint32_t slots);

/* Does the text have this note about the event? */
bool event_note_has(const char *text, enum event_note note, const char *event);

#endif
