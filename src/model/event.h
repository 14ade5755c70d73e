/* Events of a machine, and sets of events that are counted together. */
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
	/* Events that need no counter have numbers from this one on. */
	EVENT_FREE_FIRST = 16
};

/*
 * An event. If Apple's database has an event of this meaning, `name` is Apple's
 * on all machines (INST_ALL, CORE_ACTIVE_CYCLE ...), so that metrics and
 * presets work on all of them.
 */
struct event {
	const char *name;
	const char *alias;
	const char *text;   /* description, one clause; NULL: none */
	const char *native; /* as Linux's perf accepts it; NULL: none */
	const char *less;   /* event that the count includes and that metrics
			       subtract, or NULL */
	uint32_t
		number; /* event number of the hardware; 0: fixed, or unknown */
	uint32_t counters; /* bits of the counters that can count it */
	bool fixed;
	bool narrow; /* counts less than its name suggests */
	bool unlike; /* its meaning differs between kinds of core */
};

/* Writes a short name for titles of columns. */
void event_label(const char *name, char out[EVENT_LABEL_SIZE]);

/* All events of a PMU; valid until the source is closed. */
struct catalog {
	const char *name;
	const struct event *event; /* sorted by name */
	unsigned len;
	uint32_t config_counters;
};

/* Searches names and aliases; NULL: none. catalog_find_n searches for the first
 * n bytes of name. */
const struct event *catalog_find(const struct catalog *c, const char *name);

const struct event *catalog_find_n(const struct catalog *c, const char *name,
				   unsigned n);

/* Returns the first existing event of "A|B|C"; NULL: none. */
const struct event *catalog_find_any(const struct catalog *c,
				     const char *names);

enum domain {
	DOMAIN_NONE,
	DOMAIN_ALL,
	DOMAIN_USER,
	DOMAIN_KERNEL,
	DOMAIN_MIXED
};
extern const char *const domain_name[];

struct slot {
	const struct event *event;
	unsigned counter;
};

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

/* Bits of the events that the Linux kernel counts without a PMU (SW_...). */
uint32_t eventset_own(const struct eventset *s);

/* Searches names and aliases; -1: none. */
int eventset_find_n(const struct eventset *s, const char *name, unsigned n);
int eventset_find(const struct eventset *s, const char *name);

/* Compares events and their order, but not names and counters. */
bool eventset_same_events(const struct eventset *a, const struct eventset *b);

bool eventset_same(const struct eventset *a, const struct eventset *b);

/* Notes why the event (a borrowed name) is not counted. A long reason is cut;
 * if `dropped` is full, nothing is noted. */
void eventset_drop(struct eventset *s, const char *event, const char *why);

/* Number of events of the set that are also listed as dropped. */
unsigned eventset_uncounted(const struct eventset *s);

/* Notes in a recording: "counts nothing: INST_ALL; unlike: L2_MISS". */
enum event_note { EVENT_NOTE_ZERO, EVENT_NOTE_UNLIKE };

/* Appends the note about the events whose bits are in slots, unless there are
 * none. */
void event_note_put(struct buf *b, enum event_note note,
		    const struct eventset *set, uint32_t slots);

bool event_note_has(const char *text, enum event_note note, const char *event);

#endif
