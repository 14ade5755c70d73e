/* The screen: draws frames and status of the application, and returns the
 * requests that keys make. The screen reads no counters and no recordings. */
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

/* NULL and *e: no terminal, unknown TERM, invalid theme, or out of memory. */
struct ui *ui_open(const struct ui_options *o, struct err *e);

/* Restores the terminal from any state. u may be NULL. */
void ui_close(struct ui *u);

/* Call ui_suspend before ^Z stops the process, ui_resume after fg. */
void ui_suspend(struct ui *u);
void ui_resume(struct ui *u);

struct ui_line {
	/* Wait until input is readable and, if a slow terminal blocks output,
	 * until output is writable (-1: not blocked). */
	int input_fd, output_fd;
	bool waits; /* ui_input has buffered keys */
	bool owes;  /* the last draw was skipped; a draw is possible now */
};
struct ui_line ui_line(const struct ui *u);

/* Sends queued output, without blocking. False: the terminal is gone. */
bool ui_flush(struct ui *u);

void ui_resized(struct ui *u);

/* Draws the screen: sends only changes, never blocks. f: NULL before the first
 * frame. False: the terminal is gone. */
bool ui_draw(struct ui *u, const struct monitor *m, const struct frame *f,
	     const struct ui_status *s);

/* The next request; UI_NONE: none yet (see ui_line.waits). *redraw: the view
 * changed, so call ui_draw now. */
struct ui_request ui_input(struct ui *u, bool *redraw);

/* True if the view is paused; sampling and recording continue. */
bool ui_paused(const struct ui *u);

/* True if the screen needs processes in the next sample. *w: processes to open
 * and to count, valid until the next call; w->top is not set. */
bool ui_process_request(const struct ui *u, struct process_request *w);

bool ui_traces(const struct ui *u);

void ui_write_text(const struct ui *u, FILE *out);

#endif
