/* Shows a canvas and reads keys without blocking; restores the terminal. */
#ifndef UI_TERM_TTY_H
#define UI_TERM_TTY_H

#include "base/err.h"
#include "ui/draw/canvas.h"
#include "ui/theme/theme.h"
#include "ui/draw/choices.h"

#include <stdbool.h>
#include <stdint.h>

struct tty;

/* Opens the terminal of standard input and output. NULL and *e: no terminal, or
 * TERM is unknown. `mouse`: enables mouse reports. Only one tty may be open,
 * since the crash handler restores one (process/crash.h). */
struct tty *tty_open(enum ui_color color, enum ui_glyphs glyphs, bool mouse,
		     struct err *e);
void tty_close(struct tty *t);

void tty_suspend(struct tty *t);
void tty_resume(struct tty *t);

/* Writes a warning if TERM is unknown and another terminfo entry is used.
 * False: TERM is known. */
bool tty_unknown_terminal(const struct tty *t, char *out, size_t size);

/* Requests the background colour. Call before the first draw. Waits at most 0.1
 * s. False: no colours, no request is possible, or no answer in time. */
bool tty_ground(struct tty *t, uint32_t *rgb);

struct tty_state {
	int w, h;
	enum canvas_glyphs glyphs;
	bool colors;
	int input_fd;
	int output_fd;    /* -1: no bytes are queued */
	uint64_t skipped; /* draws skipped because the queue was full */
	bool owes;  /* the last draw was skipped; a draw is possible now */
	bool waits; /* keys are buffered: do not wait for input_fd */
};
struct tty_state tty_state(const struct tty *t);

/* Reads the size again; 80 x 24 if unknown. False: out of memory, and the size
 * is unchanged. */
bool tty_resized(struct tty *t);

/* Sends the changes in one write that does not block. While earlier bytes are
 * queued, the draw is skipped and counted. False: the terminal is gone. */
bool tty_show(struct tty *t, const struct canvas *c, const struct theme *theme);

/* Makes the next tty_show send the whole screen. */
void tty_forget(struct tty *t);

/* Copies text by OSC 52, which some terminals ignore. False: not sent,
 * because the terminal is suspended or gone, or might print the sequence. */
bool tty_copy(struct tty *t, const char *text);

/* Sends queued bytes. False: the terminal is gone. */
bool tty_flush(struct tty *t);

/* The next key as a code of ui/draw/keycode.h; KEY_NONE: none. */
int tty_key(struct tty *t);

#endif
