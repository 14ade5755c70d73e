/* Tables of keys for input, the last line, the help and the manual. */
#ifndef UI_VIEW_KEYS_H
#define UI_VIEW_KEYS_H

#include "ui/draw/keycode.h"
#include "ui/view/request.h"

#include <stddef.h>

enum { KEY_CODES = 10 };

struct ui;
struct view;

enum key_part {
	KEY_PART_NONE,
	KEY_PART_FIND,
	KEY_PART_VIEWS,
	KEY_PART_ORDER,
	KEY_PART_TIME,
	KEY_PART_REST
};
extern const char *const key_part_name[];

struct key_first {
	enum key_part part;
	const char *text; /* at most 28 cells */
	const char *keys; /* NULL: use `keys` of struct key */
};

struct key {
	int code[KEY_CODES]; /* unused: 0 */
	const char *keys;
	const char *name; /* word in the last line; NULL: not shown */
	const char *text;
	int rank; /* a narrow last line drops higher ranks first */
	void (*view)(struct view *v, int arg);
	void (*screen)(struct ui *u, int arg);
	struct ui_request (*ask)(struct ui *u, int arg, int code);
	int arg;
	bool live; /* not available in a replay */
	struct key_first first;
};

/* NULL: no key has the code. keys: ends with an empty row. */
const struct key *key_find(const struct key *keys, int code);

enum key_place {
	KEY_PLACE_HELP,
	KEY_PLACE_PRESETS,
	KEY_PLACE_SORT,
	KEY_PLACE_PICKER,
	KEY_PLACE_NAMING,
	KEY_PLACE_THEMES,
	KEY_PLACE_MARKERS,
	KEY_PLACE_PROCESSES,
	KEY_PLACES
};
extern const char *const key_place_name[];

struct place_key {
	enum key_place place;
	int code; /* code that a click sends, or KEY_NONE */
	const char *keys, *name, *text;
};

/* Row i; the rows of a place are consecutive. NULL after the last row. */
const struct place_key *key_of_place(unsigned i);

struct replay_key {
	int code[2];
	enum ui_replay_action wish;
	const char *keys, *name; /* name NULL: not shown */
	const char *text;
	const char *line; /* replaces `keys` in the last line, or NULL */
};

/* Row i, in the order of the last line; NULL after the last row. */
const struct replay_key *replay_key_at(unsigned i);
const struct replay_key *replay_key_find(int code);

/* Appends the key's letter; KEY_ERASE removes one letter, KEY_CTRL_U all. */
void key_type(char *text, size_t size, int key);

#endif
