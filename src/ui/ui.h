/* The screen's door: the application tells it what is so, it tells what keys
 * ask for. It never sees a source or a file of frames. */
#ifndef UI_UI_H
#define UI_UI_H

#include "base/err.h"
#include "model/frame.h"
#include "monitor/monitor.h"

#include <stdbool.h>
#include <stdint.h>

enum ui_mode { UI_MODE_BUSY, UI_MODE_IPC, UI_MODE_FULL };
enum ui_color { UI_COLOR_AUTO, UI_COLOR_ALWAYS, UI_COLOR_NEVER };
enum ui_glyphs {
	UI_GLYPHS_AUTO,
	UI_GLYPHS_ASCII,
	UI_GLYPHS_BLOCK,
	UI_GLYPHS_BRAILLE
};

struct ui_options {
	/* Name or path; "auto": by the terminal's ground; NULL: $KTOP_THEME. */
	const char *theme;
	enum ui_color color;
	enum ui_glyphs glyphs;
	bool mouse;
	unsigned view;      /* enum layout_view to begin with */
	const char *sort;   /* "cpu", "busy", a metric's name; NULL: cpu */
	unsigned group;     /* enum view_group */
	const char *pin;    /* "4,P0": rows that stay on top; NULL: none */
	const char *filter; /* as typed behind /; NULL, "none": none */
	bool reverse;       /* the order of sort */
};

struct ui_replay;

/* Told before each draw; all borrowed for the call only. */
struct ui_status {
	const char *source, *model, *chip, *os;
	bool simulated, stepped;
	/* Counts up when topology and catalog are others than before. */
	unsigned machines;
	enum ui_mode mode;
	const char *why;        /* why not FULL, with the remedy; "" if it is */
	enum err_code why_code; /* of the same */
	const char *notice;     /* what the source wants known; "" */
	const char *message;    /* one-off, of the application; "" */
	int64_t period_ns;
	int preset;               /* in force: index in preset_table, or -1 */
	uint32_t preset_possible; /* 1 << index: has at least one event here */
	const struct catalog *catalog; /* NULL: none */
	/* A bit for each of its first nrefused events: known not to be counted
	 * by this system. NULL: nothing is known. Lives as long as the screen.
	 */
	const uint64_t *refused;
	unsigned nrefused;
	/* The person's own: presets count on from preset_count, metrics from
	 * metric_count. These stay for the life of the screen. */
	const struct preset *user_preset;
	unsigned nuser_presets;
	const struct metric *user_metric;
	unsigned nuser_metrics;
	bool recording;
	const char *record_path;
	uint64_t record_lost, record_frames;
	bool rotating;
	const char *rotation; /* "overview, branch" */
	const int *rotate;    /* the same as presets */
	unsigned nrotate;
	double own_cpu_pct; /* of one CPU; NAN: not known yet */
	unsigned interrupts_per_read;
	uint64_t skipped_refreshes;
	bool ended;                     /* --hold: nothing more will come */
	const struct ui_replay *replay; /* NULL: a machine is measured */
};

enum ui_request_kind {
	UI_NONE,
	UI_QUIT,
	UI_PRESET,   /* arg: index in preset_table */
	UI_INTERVAL, /* arg: the new period in ms */
	UI_IPC,      /* release the counters, or take them */
	UI_RETRY,    /* after a theft: program again */
	UI_RECORD,   /* start or stop the recording */
	UI_MARK,
	UI_ROTATE,
	UI_SUSPEND, /* ^Z: the application stops the process */
	UI_EVENTS,  /* events: count these */
	UI_REPLAY,  /* arg: enum ui_replay_wish, of ui/view/replay.h */
	UI_SAVE     /* chosen: keep it in the config file */
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
};

struct ui_request {
	enum ui_request_kind kind;
	int64_t arg;
	const struct ui_events *events; /* valid till the next ui_input */
	struct ui_chosen chosen;
	const char *text; /* of UI_REPLAY_GO, till the next ui_input */
};

struct ui;

/* Takes the terminal (standard input and output). NULL and *e if it cannot:
 * no terminal, TERM unknown, a theme with a mistake. */
struct ui *ui_open(const struct ui_options *o, struct err *e);

/* Gives the terminal back, whatever state it is in. NULL is fine. */
void ui_close(struct ui *u);

/* Async-signal-safe: the terminal as it was, for a crash handler. */
void ui_rescue(void);

/* For ^Z and fg. */
void ui_suspend(struct ui *u);
void ui_resume(struct ui *u);

/* Descriptors to wait on: input to read, and, while terminal bytes are held
 * back because it is slow, output to write (-1 when nothing is held back). */
int ui_input_fd(const struct ui *u);
int ui_output_fd(const struct ui *u);

/* Sends what is held back, without blocking. False when the terminal is gone.
 */
bool ui_flush(struct ui *u);

/* The terminal's size changed (after SIGWINCH). */
void ui_resized(struct ui *u);

/*
 * Draws frame f (NULL before the first) with the monitor's history. Returns
 * false when the terminal is gone. Sends only what changed; never blocks.
 */
bool ui_draw(struct ui *u, const struct monitor *m, const struct frame *f,
	     const struct ui_status *s);

/*
 * The next thing a key asks of the application; UI_NONE when no more input is
 * there. *redraw is set when what is shown changed (cursor, help, theme,
 * pause), so that the application draws at once.
 */
struct ui_request ui_input(struct ui *u, bool *redraw);

/* True while the view is frozen (space): sampling and recording go on. */
bool ui_paused(const struct ui *u);

#endif
