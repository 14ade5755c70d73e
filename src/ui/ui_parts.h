/* What ui.c and keys.c share: the screen's state. Nobody else sees it. */
#ifndef UI_UI_PARTS_H
#define UI_UI_PARTS_H

#include "monitor/monitor.h"
#include "ui/theme/theme.h"
#include "ui/term/tty.h"
#include "ui/view/turns.h"
#include "ui/view/view.h"

enum { MESSAGE_SIZE = 600, MESSAGE_DRAWS = 4, TERMINAL_DRAWS = 10 };

/* A frame with arrays of its own. Zeroed at first. */
struct still {
	struct frame f;
	struct frame_power power;
	struct power_row *power_row; /* room for nscopes */
	struct eventset set;
	struct span *span;
	double *value;
	uint8_t *state;
	struct bottleneck *bottleneck;
	struct headline headline;
	unsigned nscopes, nmetrics; /* room in the arrays */
};

struct ui {
	struct tty *tty;
	struct canvas *canvas;
	struct view *view;
	struct theme_walk themes;
	bool begun;       /* was drawn before */
	const char *sort; /* wanted at the start; NULL: done */
	const char *pin;  /* the same */
	struct still still;
	struct still then; /* the same with the values of an earlier frame */
	/* The frames up to the reference as one, and those up to now. */
	struct still reference, recent;
	struct process_window of_reference, of_recent; /* their processes */
	double *deviation;  /* of the reference; as history_window has it */
	bool set_reference; /* the next draw does */
	double reference_s; /* to the seconds up to this, elapsed */
	bool freeze;        /* the next draw keeps its frame */
	char message[MESSAGE_SIZE];
	unsigned message_draws;  /* how often it is still shown */
	char told[MESSAGE_SIZE]; /* the application's last message */
	/* Samples the process that was open at the last draw; "": none. */
	char next_tool[400];
	char terminal[200];      /* what is unusual about it; "" */
	unsigned terminal_draws; /* how often the header still says it */
	int64_t period_ns, newest_wall_ns; /* of the last draw */
	double marker_s[UI_MARKS]; /* elapsed, of the last draw; by time */
	unsigned nmarkers;
	double shown_s; /* elapsed, of the frame shown */
	int preset;
	uint32_t preset_possible;
	int said_tells; /* the preset that Enter counts next; -1: none */
	bool replay, takes_marks, pasting;
	struct turns turns;   /* of a recording */
	char turns_text[160]; /* "basic, branch" */
	struct {
		enum prompt_of {
			PROMPT_NONE,
			PROMPT_INTERVAL,
			PROMPT_GO_TO, /* a frame or time of a replay */
			PROMPT_TIME,  /* of a live machine's past */
			PROMPT_NAME,  /* of the mark that was made */
			PROMPT_TRACE  /* y/n */
		} of;
		char text[UI_NAME_SIZE]; /* what is typed */
	} prompt;
};

/* Shows a sentence in the last line for the next few draws. */
void ui_say(struct ui *u, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Shows what is typed; number: of the mark that waits for a name, or 0. */
void ui_say_prompt(struct ui *u, unsigned number);

#endif
