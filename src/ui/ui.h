/* The screen's door: the application tells it what is so, it tells what keys
 * ask for. It never sees a source or a file of frames. */
#ifndef UI_UI_H
#define UI_UI_H

#include "base/err.h"
#include "model/frame.h"
#include "model/process.h"
#include "monitor/monitor.h"
#include "ui/draw/choices.h"
#include "ui/view/request.h"
#include "ui/view/status.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdint.h>

struct ui;

/* Takes the terminal (standard input and output). NULL and *e if it cannot:
 * no terminal, TERM unknown, a theme with a mistake. */
struct ui *ui_open(const struct ui_options *o, struct err *e);

/* Gives the terminal back, whatever state it is in. NULL is fine. */
void ui_close(struct ui *u);

/* For ^Z and fg. */
void ui_suspend(struct ui *u);
void ui_resume(struct ui *u);

struct ui_line { /* the terminal's */
	/* To wait on: input to read, and, while bytes are held back because it
	 * is slow, output to write (-1: none are). */
	int input_fd, output_fd;
	bool waits; /* keys were read that ui_input has not taken: take them */
	bool owes;  /* a screen found no room, and now there is: draw again */
};
struct ui_line ui_line(const struct ui *u);

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
 * The next thing a key asks of the application; UI_NONE: none of the next few
 * does (see ui_waits). *redraw is set when what is shown changed (cursor, help,
 * theme, pause), so that the application draws at once.
 */
struct ui_request ui_input(struct ui *u, bool *redraw);

/* True while the view is frozen (space): sampling and recording go on. */
bool ui_paused(const struct ui *u);

/*
 * Does the screen want processes with the next tick: is anybody looking at
 * them? Then *w has which of them to open and to count, borrowed until the next
 * call of anything here; top stays as it is.
 */
bool ui_process_request(const struct ui *u, struct process_request *w);

/* Are events of processes wanted, by k or from the start? */
bool ui_traces(const struct ui *u);

/* The screen as it was drawn last. */
void ui_write_text(const struct ui *u, FILE *out);

#endif
