/* What the files of this folder share: terminals' names, keys, bytes. */
#ifndef UI_TERM_TTY_INNER_H
#define UI_TERM_TTY_INNER_H

#include "ui/term/tty.h"

#include <stddef.h>
#include <termios.h>

/* ---- what is known of terminals by name, where their entries say nothing */

/* What the environment says of the terminal; any may be NULL. */
struct term_env {
	const char *term, *colorterm;
	const char *program, *version; /* TERM_PROGRAM, TERM_PROGRAM_VERSION */
	const char *xterm;             /* XTERM_VERSION: xterm itself */
	bool inside;                   /* tmux or screen stand between */
};
void term_env(struct term_env *out);

/*
 * Entries that describe that terminal well enough where the system does not
 * know it, best first: sudo drops TERMINFO, and with it the entries that some
 * terminals bring along. NULL ends; an unknown name has none.
 */
const char *const *term_stand_ins(const char *term);

/* Draws 24-bit colours, though its entry may not say so. */
bool term_draws_all_colors(const struct term_env *env);

/* May be asked for its colours: others print the question. */
bool term_may_be_asked(const struct term_env *env);

/* AUTO: what it draws well, in a locale that is UTF-8 or not. */
enum canvas_glyphs term_glyphs(enum ui_glyphs wanted, bool utf8,
			       const struct term_env *env);

/* ---- keys and answers out of the bytes that a terminal sends */

/*
 * The key at the head of `at`, its bytes in *used (0: the bytes may be the
 * start of a longer one). Unknown sequences are KEY_NONE with *used set.
 */
int termkeys_next(const unsigned char *at, size_t len, size_t *used);

/*
 * OSC 11 asks for the ground. Terminals that do not know it stay silent, but
 * nearly all answer DA1 (what they are): behind that answer none is to come.
 */
#define TTY_REPLY_ASK "\033]11;?\033\\\033[c"

enum tty_reply_kind {
	TTY_REPLY_NONE, /* no answer begins here */
	TTY_REPLY_PART, /* one may, its end has not come */
	TTY_REPLY_GROUND,
	TTY_REPLY_DEVICE
};

struct tty_reply {
	enum tty_reply_kind kind;
	size_t len;   /* of a whole one */
	bool known;   /* a ground that could be read */
	uint32_t rgb; /* of it: 0xRRGGBB */
};

/* The answer that the bytes at `at` begin with. */
struct tty_reply tty_reply_next(const unsigned char *at, size_t len);

/* ---- the two ends of the line: keys in, queued bytes out */

enum { TTY_INPUT_SIZE = 256 };

struct tty_bytes {
	char *at;
	size_t len, size;
	bool lost; /* no memory for some of it */
};
bool tty_bytes_reserve(struct tty_bytes *b, size_t more);
void tty_bytes_put(struct tty_bytes *b, const char *s, size_t n);

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

/* Standard input and output; false and *e if they are no terminal. */
bool tty_line_open(struct tty_line *l, struct err *e);

/* ^C and ^Z become keys, ^S does not stop us. */
void tty_line_raw(struct tty_line *l);

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

bool tty_line_waits(const struct tty_line *l);
int tty_line_key(struct tty_line *l);

/* ---- screens as bytes for the terminal that terminfo describes */

struct tty_writer;

/*
 * By the terminal's entry; NULL: there is none of that name, it cannot place
 * text, or memory is short. One at a time.
 */
struct tty_writer *tty_writer_open(const char *term, enum ui_color color,
				   const struct term_env *env);
void tty_writer_close(struct tty_writer *w); /* NULL is fine */

/* A string of the open entry; NULL: it has none. */
const char *tty_capability(const char *name);

/* It without its padding, which no terminal of today needs. */
void tty_capability_put(struct buf *b, const char *s);
void tty_writer_string(struct tty_bytes *out, const char *name);
void tty_writer_move(struct tty_bytes *out, int x, int y);

bool tty_writer_colors(const struct tty_writer *w);

/* Forgets what is shown, as the next does; false when memory is short. */
bool tty_writer_resize(struct tty_writer *w, int width, int height);
void tty_writer_forget(struct tty_writer *w);

/* Adds what differs from what is shown. */
void tty_writer_show(struct tty_writer *w, const struct canvas *c,
		     const struct theme *theme, struct tty_bytes *out);

#endif
