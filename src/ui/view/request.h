/* Requests that keys make to the application. */
#ifndef UI_VIEW_REQUEST_H
#define UI_VIEW_REQUEST_H

#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum ui_request_kind {
	UI_NONE,
	UI_QUIT,
	UI_PRESET,   /* arg: index of the preset */
	UI_INTERVAL, /* arg: period, ms */
	UI_IPC,
	UI_RECORD,
	UI_MARK,      /* arg: 1 + seq of the visible frame; 0: now */
	UI_MARK_NAME, /* text: name; "": none */
	UI_SHOT,
	UI_ROTATE,
	UI_SUSPEND,
	UI_EVENTS,
	UI_REPLAY,
	UI_SAVE
};

enum ui_replay_action {
	UI_REPLAY_PAUSE,
	UI_REPLAY_BACK,
	UI_REPLAY_FORTH,
	UI_REPLAY_MINUTE_BACK,
	UI_REPLAY_MINUTE_FORTH,
	UI_REPLAY_FIRST,
	UI_REPLAY_LAST,
	UI_REPLAY_SLOWER,
	UI_REPLAY_FASTER,
	UI_REPLAY_NEXT, /* to the next marker or change of state */
	UI_REPLAY_PREVIOUS,
	UI_REPLAY_GO /* text: frame number, or time with unit or ':' */
};

/* Events that the user chose; they fit on the counters together. */
struct ui_events {
	char name[32]; /* name of a new preset; "": none */
	char key;
	unsigned n;
	const struct event *event[EVENTSET_MAX];
};

/* Values of options to save. */
struct ui_chosen {
	const char *theme, *view, *sort, *group;
	char pin[96];
	char filter[48];
	bool reverse;
	bool process_pins; /* pins of processes are not saved */
};

struct ui_request {
	enum ui_request_kind kind;
	int64_t arg;
	const struct ui_events *events; /* valid until the next ui_input */
	struct ui_chosen chosen;
	const char *text; /* typed text; valid as long as `events` */
};

#endif
