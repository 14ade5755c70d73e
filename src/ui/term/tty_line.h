/* The two ends of a terminal's line: keys in, queued bytes out, no curses. */
#ifndef UI_TERM_TTY_LINE_H
#define UI_TERM_TTY_LINE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <termios.h>

enum { TTY_INPUT_SIZE = 256 };

/* Buttons and the wheel as SGR reports. */
#define TTY_MOUSE_ON "\033[?1000h\033[?1006h"
#define TTY_MOUSE_OFF "\033[?1006l\033[?1000l"

/* Pasted text comes between KEY_PASTE and KEY_PASTE_END. */
#define TTY_PASTE_ON "\033[?2004h"
#define TTY_PASTE_OFF "\033[?2004l"

struct tty_bytes {
	char *at;
	size_t len, size;
};

struct tty_line {
	int in, out;
	bool out_own; /* opened by us: non-blocking without a trace */
	bool gone;    /* hung up */
	struct termios saved;
	struct tty_bytes queue; /* for the terminal */
	size_t sent;            /* of the queue */
	unsigned char input[TTY_INPUT_SIZE];
	size_t ninput;
	/* Answers of the terminal are awaited until then; 0: none are. */
	int64_t asked_until_ns;
	bool asked; /* ever */
	bool ground_known;
	uint32_t ground; /* what it answered: 0xRRGGBB */
};

bool tty_bytes_reserve(struct tty_bytes *b, size_t more);
bool tty_bytes_add(struct tty_bytes *b, const char *text);

/* Standard input and output; false and *e if they are no terminal. */
bool tty_line_open(struct tty_line *l, struct err *e);
void tty_line_close(struct tty_line *l);

/* ^C and ^Z become keys, ^S does not stop us; and back. */
void tty_line_raw(struct tty_line *l);
void tty_line_restore(struct tty_line *l);

/* Columns and rows; 80 x 24 where the terminal does not say. */
void tty_line_size(const struct tty_line *l, int *w, int *h);

/* Sends what the terminal takes now; false when it is gone. */
bool tty_line_flush(struct tty_line *l);

/*
 * For leaving: waits a little for a terminal that takes its time. False when
 * not all was sent; the rest is dropped.
 */
bool tty_line_drain(struct tty_line *l);

/*
 * Asks the terminal for its ground and waits a tenth of a second at most. Keys
 * that come meanwhile stay; an answer that is late is never taken for keys.
 */
void tty_line_ask(struct tty_line *l);

/* For leaving: what is still to come is not typed at the shell's prompt. */
void tty_line_forget_answers(struct tty_line *l);

/* Bytes were read that no key has been made of: nobody is to sleep. */
bool tty_line_waits(const struct tty_line *l);

/* The next key (ui/view/keys.h), KEY_NONE when there is none. */
int tty_line_key(struct tty_line *l);

#endif
