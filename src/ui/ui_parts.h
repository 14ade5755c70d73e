/* State of the screen, for ui.c and keys.c only. */
#ifndef UI_UI_PARTS_H
#define UI_UI_PARTS_H

#include "monitor/monitor.h"
#include "ui/theme/theme.h"
#include "ui/term/tty.h"
#include "ui/view/turns.h"
#include "ui/view/view.h"

enum { MESSAGE_SIZE = 600, MESSAGE_DRAWS = 4, TERMINAL_DRAWS = 10 };

/* A copy of a frame, with arrays of its own. Initialize with zeros. */
struct still {
	struct frame f;
	struct frame_power power;
	struct power_row *power_row;
	struct eventset set;
	struct span *span;
	double *value;
	uint8_t *state;
	struct bottleneck *bottleneck;
	struct headline headline;
	unsigned nscopes, nmetrics;
};

struct ui {
	struct tty *tty;
	struct canvas *canvas;
	struct view *view;
	struct theme_walk themes;
	bool begun;
	const char *sort; /* value of --sort; NULL: none, or already applied */
	const char *pin;
	struct still still;
	struct still then; /* the visible frame, if earlier than `still` */
	/* Sums of the 10 s before the reference, and of the last 10 s. */
	struct still reference, recent;
	struct process_window of_reference, of_recent;
	double *deviation; /* standard deviations; see history_window */
	bool set_reference;
	double reference_s;
	bool freeze;
	char message[MESSAGE_SIZE];
	unsigned message_draws;
	char app_message[MESSAGE_SIZE];
	/* Command for the process open at the last draw; "": none. */
	char next_tool[400];
	char terminal[200];
	unsigned terminal_draws;
	int64_t period_ns, newest_wall_ns; /* of the last draw */
	double marker_s[UI_MARKS]; /* [nmarkers], elapsed_s, ascending */
	unsigned nmarkers;
	double shown_s; /* elapsed_s of the visible frame */
	int preset;
	uint32_t preset_possible;
	int offered_preset; /* preset that Enter offers; -1: none */
	bool replay, takes_marks, pasting;
	struct turns turns; /* presets in rotation in a recording */
	char turns_text[160];
	struct {
		enum prompt_of {
			PROMPT_NONE,
			PROMPT_INTERVAL,
			PROMPT_GO_TO, /* frame or time in a replay */
			PROMPT_TIME,  /* time in live history */
			PROMPT_NAME,
			PROMPT_TRACE
		} of;
		char text[UI_NAME_SIZE];
	} prompt;
};

void ui_show_message(struct ui *u, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

void ui_show_prompt(struct ui *u, unsigned number);

#endif
