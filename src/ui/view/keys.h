/* What a key is: for dispatch, the last line, the help and the manual. */
#ifndef UI_VIEW_KEYS_H
#define UI_VIEW_KEYS_H

#include "ui/draw/keycode.h"
#include "ui/view/request.h"

#include <stddef.h>

enum { KEY_CODES = 10 };

struct ui;
struct view;

/* Where the help's first page has a key. */
enum key_part {
	KEY_PART_NONE, /* nowhere: only the list of all has it */
	KEY_PART_FIND,
	KEY_PART_VIEWS,
	KEY_PART_ORDER,
	KEY_PART_TIME,
	KEY_PART_REST
};
extern const char *const key_part_name[]; /* "Find out" */

struct key_first {
	enum key_part part;
	const char *text; /* at most 28 cells */
	const char *keys; /* where the row's own are not all; NULL */
};

/* A key of the screen; one of three functions does what it is for. */
struct key {
	int code[KEY_CODES]; /* 0 ends */
	const char *keys;    /* as shown */
	const char *name; /* one word for the last line; NULL: only in help */
	const char *text; /* what it does */
	int rank;         /* in the last line: lower ones stay longer */
	/* Changes what the view shows, ... */
	void (*view)(struct view *v, int arg);
	/* ... or more of the screen, ... */
	void (*screen)(struct ui *u, int arg);
	/* ... or asks the application. code: which of the row's keys. */
	struct ui_request (*ask)(struct ui *u, int arg, int code);
	int arg;
	bool live; /* a recording has no use for it */
	struct key_first first;
};

/* The row of that code; NULL: it does nothing. keys ends in a row without. */
const struct key *key_find(const struct key *keys, int code);

/* What lies over the screen has keys of its own. */
enum key_place {
	KEY_PLACE_HELP,
	KEY_PLACE_PRESETS,
	KEY_PLACE_SORT,
	KEY_PLACE_PICKER,
	KEY_PLACE_NAMING, /* in the picker */
	KEY_PLACE_THEMES,
	KEY_PLACE_MARKERS,
	KEY_PLACE_PROCESSES, /* the view, whose last line has them */
	KEY_PLACES
};
extern const char *const key_place_name[]; /* "the picker" */

struct place_key {
	enum key_place place;
	int code; /* of a click; KEY_NONE: none */
	const char *keys, *name, *text;
};

/* The keys of all places, those of one together; NULL past the last. */
const struct place_key *key_of_place(unsigned i);

/* A key of replays alone. */
struct replay_key {
	int code[2];
	enum ui_replay_wish wish;
	const char *keys, *name; /* name: for the last line; NULL: not there */
	const char *text;
	const char *line; /* in place of keys in the last line; NULL: keys */
};

/* In the order in which the last line has them; NULL past the last. */
const struct replay_key *replay_key_at(unsigned i);
const struct replay_key *replay_key_find(int code); /* NULL: it has none */

/* What is being typed: a letter goes to its end, KEY_ERASE takes one away. */
void key_type(char *text, size_t size, int key);

#endif
