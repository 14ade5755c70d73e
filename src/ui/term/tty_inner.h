/* Interfaces between the terminal's files. */
#ifndef UI_TERM_TTY_INNER_H
#define UI_TERM_TTY_INNER_H

#include "ui/term/tty.h"

#include <stddef.h>
#include <termios.h>

/* Environment variables; any may be NULL. */
struct term_env {
	const char *term, *colorterm;
	const char *program, *version; /* TERM_PROGRAM, TERM_PROGRAM_VERSION */
	const char *xterm;             /* set by xterm itself */
	bool inside;                   /* inside tmux or screen */
};
void term_env(struct term_env *out);

/* Terminfo entries that replace an unknown one, best first, ended by NULL.
 * Entries may be unknown because sudo drops TERMINFO. */
const char *const *term_stand_ins(const char *term);

/* True if 24-bit colours work, even if the terminfo entry lacks them. */
bool term_draws_all_colors(const struct term_env *env);

/* True if queries may be sent; some terminals print them as text. */
bool term_may_be_asked(const struct term_env *env);

/* The wanted glyphs; AUTO: the best that the terminal shows correctly. */
enum canvas_glyphs term_glyphs(enum ui_glyphs wanted, bool utf8,
			       const struct term_env *env);

/* Decodes the first key. *used: its bytes; 0: perhaps incomplete. For an
 * unknown sequence returns KEY_NONE with *used > 0. */
int termkeys_next(const unsigned char *at, size_t len, size_t *used);

/* OSC 11 requests the background. A terminal without OSC 11 sends no colour,
 * but nearly all terminals answer DA1, which ends the wait. */
#define TTY_REPLY_ASK "\033]11;?\033\\\033[c"

enum tty_reply_kind {
	TTY_REPLY_NONE, /* not the start of an answer */
	TTY_REPLY_PART,
	TTY_REPLY_GROUND,
	TTY_REPLY_DEVICE
};

struct tty_reply {
	enum tty_reply_kind kind;
	size_t len; /* bytes of a complete answer, or 0 */
	bool known;
	uint32_t rgb;
};

struct tty_reply tty_reply_next(const unsigned char *at, size_t len);

enum { TTY_INPUT_SIZE = 256 };

struct tty_bytes {
	char *at;
	size_t len, size;
	bool lost; /* bytes were lost: out of memory */
};
bool tty_bytes_reserve(struct tty_bytes *b, size_t more);
void tty_bytes_put(struct tty_bytes *b, const char *s, size_t n);

struct tty_line {
	int in, out;
	bool out_own; /* tty_line_open opened `out`, with O_NONBLOCK */
	bool gone;    /* the terminal hung up */
	struct termios saved;
	struct tty_bytes queue;
	size_t sent;
	unsigned char input[TTY_INPUT_SIZE];
	size_t ninput;
	/* Answers may arrive until this time; 0: none is expected. */
	int64_t asked_until_ns;
	bool asked;
	bool ground_known;
	uint32_t ground; /* 0xRRGGBB */
};

/* False and *e: not a terminal. */
bool tty_line_open(struct tty_line *l, struct err *e);

/* Sets raw mode: ^C and ^Z become keys; ^S does not stop output. */
void tty_line_raw(struct tty_line *l);

/* False: the terminal is gone. */
bool tty_line_flush(struct tty_line *l);

/* Before exit or suspension: sends the queue, waits at most 0.5 s for a slow
 * terminal. False: bytes were dropped. */
bool tty_line_drain(struct tty_line *l);

/* Requests the background and waits at most 0.1 s. Keys that arrive meanwhile
 * are kept; later answers are not read as keys. */
void tty_line_ask(struct tty_line *l);

/* Before exit or suspension: drops late answers, which the shell would read. */
void tty_line_forget_answers(struct tty_line *l);

bool tty_line_waits(const struct tty_line *l);
int tty_line_key(struct tty_line *l);

struct tty_writer;

/* NULL: unknown terminfo entry, no cursor movement, or out of memory. Only one
 * may be open. */
struct tty_writer *tty_writer_open(const char *term, enum ui_color color,
				   const struct term_env *env);
void tty_writer_close(struct tty_writer *w);

/* NULL: the terminal lacks the capability. */
const char *tty_capability(const char *name);

/* Appends s without padding, which terminals do not need today. */
void tty_capability_put(struct buf *b, const char *s);
void tty_writer_string(struct tty_bytes *out, const char *name);
void tty_writer_move(struct tty_bytes *out, int x, int y);

bool tty_writer_colors(const struct tty_writer *w);

/* After either call, the next screen is sent whole. False: out of memory. */
bool tty_writer_resize(struct tty_writer *w, int width, int height);
void tty_writer_forget(struct tty_writer *w);

/* Appends the bytes that turn the last screen into this one. */
void tty_writer_show(struct tty_writer *w, const struct canvas *c,
		     const struct theme *theme, struct tty_bytes *out);

#endif
