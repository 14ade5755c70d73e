/* What keys ask of the application, as values. */
#ifndef UI_VIEW_REQUEST_H
#define UI_VIEW_REQUEST_H

#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum ui_request_kind {
	UI_NONE,
	UI_QUIT,
	UI_PRESET,   /* arg: index in preset_table */
	UI_INTERVAL, /* arg: the new period in ms */
	UI_IPC,      /* release the counters, or take them */
	UI_RECORD,   /* start or stop the recording */
	UI_MARK, /* arg: 1 + the number of the frame that is shown; 0: now */
	UI_MARK_NAME, /* text: what it is called; "": nothing more */
	UI_SHOT,      /* keep the screen as it is */
	UI_ROTATE,
	UI_SUSPEND, /* ^Z: the application stops the process */
	UI_EVENTS,  /* events: count these */
	UI_REPLAY,  /* arg: enum ui_replay_wish */
	UI_SAVE     /* chosen: keep it in the config file */
};

/* What a request UI_REPLAY wants, in its arg. */
enum ui_replay_wish {
	UI_REPLAY_PAUSE, /* or go on */
	UI_REPLAY_BACK,
	UI_REPLAY_FORTH, /* a frame */
	UI_REPLAY_MINUTE_BACK,
	UI_REPLAY_MINUTE_FORTH,
	UI_REPLAY_FIRST,
	UI_REPLAY_LAST,
	UI_REPLAY_SLOWER,
	UI_REPLAY_FASTER,
	UI_REPLAY_NEXT, /* mark or change of state */
	UI_REPLAY_PREVIOUS,
	UI_REPLAY_GO /* text: a frame's number, or a time with a unit or : */
};

/* Events chosen one by one; they fit together. */
struct ui_events {
	char name[32]; /* to keep them as a preset; "": only count them */
	char key;      /* its digit, or 0 */
	unsigned n;
	const struct event *event[EVENTSET_MAX]; /* of the catalog */
};

/* What of the screen can be kept, as values of its options. */
struct ui_chosen {
	const char *theme, *view, *sort, *group;
	char pin[96];
	char filter[48]; /* "none": none */
	bool reverse;
	bool process_pins; /* some are pinned: of this moment, never kept */
};

struct ui_request {
	enum ui_request_kind kind;
	int64_t arg;
	const struct ui_events *events; /* until the next ui_input */
	struct ui_chosen chosen;
	const char *text; /* of UI_REPLAY_GO and UI_MARK_NAME, until the next
			     ui_input */
};

#endif
