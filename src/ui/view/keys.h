/* One table for dispatch, the last line and the help. */
#ifndef UI_VIEW_KEYS_H
#define UI_VIEW_KEYS_H

#include "ui/draw/keycode.h"

enum action {
	ACTION_NONE,
	ACTION_QUIT,
	ACTION_HELP,
	ACTION_CLOSE,
	ACTION_PAUSE,
	ACTION_PRESET,  /* by digit */
	ACTION_PRESETS, /* the list */
	ACTION_PRESET_PREVIOUS,
	ACTION_PRESET_NEXT,
	ACTION_INTERVAL, /* by sign */
	ACTION_VIEW_NEXT,
	ACTION_VIEW_PREVIOUS,
	ACTION_VIEW, /* by letter */
	ACTION_SORT,
	ACTION_SORT_PREVIOUS,
	ACTION_REVERSE,
	ACTION_FILTER,
	ACTION_GROUP,
	ACTION_PIN,
	ACTION_MARK,
	ACTION_RECORD,
	ACTION_THEME,
	ACTION_CHART,
	ACTION_IPC,
	ACTION_RETRY,
	ACTION_ROTATE,
	ACTION_ENTER,
	ACTION_UP,
	ACTION_DOWN,
	ACTION_PAGE_UP,
	ACTION_PAGE_DOWN,
	ACTION_HOME,
	ACTION_END,
	ACTION_BACK,
	ACTION_FORTH,
	ACTION_MINUTE_BACK,
	ACTION_MINUTE_FORTH,
	ACTION_REDRAW,
	ACTION_SUSPEND,
	ACTION_SAVE,
	ACTION_PICK,
	ACTION_SPAN,
	ACTION_DELAY,
	ACTION_DENSE
};

enum { KEY_CODES = 10 };

struct key {
	int code[KEY_CODES]; /* 0 ends */
	const char *keys;    /* as shown */
	const char *name; /* one word for the last line; NULL: only in help */
	const char *text; /* what it does */
	enum action action;
	int rank; /* in the last line: lower ones stay longer */
};
extern const struct key key_table[];
extern const unsigned key_count;

/* What lies over the screen has keys of its own. */
enum key_place {
	KEY_PLACE_HELP,
	KEY_PLACE_PRESETS,
	KEY_PLACE_PICKER,
	KEY_PLACE_NAMING, /* in the picker */
	KEY_PLACE_THEMES,
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

/* What the key does; ACTION_NONE if nothing. */
enum action key_action(int code);

/* The view that a letter goes to; -1: none. */
int key_view(int code);

#endif
