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
	/* The first counter number of events that need no counter. */
	EVENT_FREE_FIRST = 16
};

/*
 * An event under its canonical name (Apple's database: INST_ALL,
 * CORE_ACTIVE_CYCLE ...). Sources for other hardware use it for the same
 * meaning, so that metrics and presets fit all.
 */
struct event {
	const char *name;
	const char *alias;    /* or NULL */
	const char *fallback; /* event to use instead, or NULL */
	const char *text;     /* one clause, written for ktop; NULL: unknown */
	const char *native;   /* the machine's name; NULL: the same */
	const char *less;     /* event included in the count, which metrics
				 subtract, or NULL */
	uint32_t number;      /* 0: fixed */
	uint32_t counters;    /* absolute bits */
	bool fixed;           /* has its own counter */
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
	uint32_t config_counters; /* absolute bits */
};

/* By name or alias; NULL: none. */
const struct event *catalog_find(const struct catalog *c, const char *name);

/* Searches for the first n bytes of name. */
const struct event *catalog_find_n(const struct catalog *c, const char *name,
				   unsigned n);

/* Of "A|B|C", the first that exists. */
const struct event *catalog_find_any(const struct catalog *c,
				     const char *names);

enum domain {              /* modes of a count */
	      DOMAIN_NONE, /* nothing is counted */
	      DOMAIN_ALL,
	      DOMAIN_USER,
	      DOMAIN_KERNEL,
	      DOMAIN_MIXED /* the slots count different modes */
};
extern const char *const domain_name[]; /* "", "all", "user", ... */

struct slot {
	const struct event *event; /* in the catalog */
	unsigned counter;          /* absolute */
};

/* Events counted together; plain data. */
struct eventset {
	char name[32]; /* preset or "custom"; "": fixed counters only */
	unsigned len;
	struct slot slot[EVENTSET_MAX]; /* by counter (slots_place) */
	unsigned ndropped;              /* wanted, but not counted */
	struct {
		const char *event;
		char why[80];
	} dropped[EVENTSET_MAX];
};

/* Bits of the slots that the kernel counts without a PMU (Linux: SW_...). */
uint32_t eventset_own(const struct eventset *s);

/* By name or alias; -1: none. */
int eventset_find_n(const struct eventset *s, const char *name, unsigned n);
int eventset_find(const struct eventset *s, const char *name);

/* Same events in the same order; names and counters may differ. */
bool eventset_same_events(const struct eventset *a, const struct eventset *b);

/* Same name, events and counters; ndropped may differ. */
bool eventset_same(const struct eventset *a, const struct eventset *b);

/* Records that the event (borrowed) is not counted; cuts `why`. */
void eventset_drop(struct eventset *s, const char *event, const char *why);

/* Number of slots that were placed, but then refused or lost. */
unsigned eventset_uncounted(const struct eventset *s);

/* Notes in a recording's rows on events with unusual counts. */

/* "counts nothing: INST_ALL; unlike: L2_MISS LLC_MISS" */
enum event_note {
	EVENT_NOTE_ZERO,  /* accepted, but counts nothing */
	EVENT_NOTE_UNLIKE /* has another meaning on some kinds of core */
};

/* Appends the note about these slots, given as bits; 0: nothing. */
void event_note_put(struct buf *b, enum event_note note,
		    const struct eventset *set, uint32_t slots);

/* Does the text have this note about the event? */
bool event_note_has(const char *text, enum event_note note, const char *event);

#endif
