/* What the files of this folder share. */
#ifndef UI_TERM_TTY_INNER_H
#define UI_TERM_TTY_INNER_H

#include "ui/term/tty.h"

#include <stddef.h>
#include <termios.h>

/* ---- terminals by name, where their terminfo entries say nothing */

/* Environment variables; any may be NULL. */
struct term_env {
	const char *term, *colorterm;
	const char *program, *version; /* TERM_PROGRAM, TERM_PROGRAM_VERSION */
	const char *xterm;             /* set by xterm itself */
	bool inside;                   /* inside tmux or screen */
};
void term_env(struct term_env *out);

/*
 * Other entries for a terminal that the system does not know, best first, ended
 * by NULL: sudo drops TERMINFO, and with it the entries of some terminals.
 */
const char *const *term_stand_ins(const char *term);

/* Also where its entry does not say so. */
bool term_draws_all_colors(const struct term_env *env);

/* Other terminals print the query. */
bool term_may_be_asked(const struct term_env *env);

/* AUTO: what the terminal draws well. */
enum canvas_glyphs term_glyphs(enum ui_glyphs wanted, bool utf8,
			       const struct term_env *env);

/* ---- keys and answers in the bytes of the terminal */

/*
 * The key at the head of `at`; *used: its bytes, 0: perhaps incomplete. Unknown
 * sequences are KEY_NONE with *used set.
 */
int termkeys_next(const unsigned char *at, size_t len, size_t *used);

/*
 * OSC 11 asks for the background. Terminals without it stay silent, but nearly
 * all answer DA1, so no answer follows after that of DA1.
 */
#define TTY_REPLY_ASK "\033]11;?\033\\\033[c"

enum tty_reply_kind {
	TTY_REPLY_NONE, /* no answer begins here */
	TTY_REPLY_PART, /* incomplete */
	TTY_REPLY_GROUND,
	TTY_REPLY_DEVICE
};

struct tty_reply {
	enum tty_reply_kind kind;
	size_t len; /* if complete */
	bool known;
	uint32_t rgb; /* of it: 0xRRGGBB */
};

struct tty_reply tty_reply_next(const unsigned char *at, size_t len);

/* ---- input and output of the line */

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
	bool out_own; /* opened here: non-blocking without effect on others */
	bool gone;    /* hung up */
	struct termios saved;
	struct tty_bytes queue;
	size_t sent; /* of the queue */
	unsigned char input[TTY_INPUT_SIZE];
	size_t ninput;
	/* Answers are awaited until then; 0: none. */
	int64_t asked_until_ns;
	bool asked; /* ever */
	bool ground_known;
	uint32_t ground; /* 0xRRGGBB */
};

/* False: they are no terminal. */
bool tty_line_open(struct tty_line *l, struct err *e);

/* ^C and ^Z become keys; ^S does not stop output. */
void tty_line_raw(struct tty_line *l);

/* False: the terminal is gone. */
bool tty_line_flush(struct tty_line *l);

/*
 * Before leaving: waits a little for a slow terminal. False: the rest was
 * dropped.
 */
bool tty_line_drain(struct tty_line *l);

/*
 * Asks for the background and waits at most 0.1 s. Keys in between are kept,
 * and a late answer is not taken for keys.
 */
void tty_line_ask(struct tty_line *l);

/* Before leaving, so that late answers are not typed at the shell's prompt. */
void tty_line_forget_answers(struct tty_line *l);

bool tty_line_waits(const struct tty_line *l);
int tty_line_key(struct tty_line *l);

/* ---- screens as bytes, by terminfo */

struct tty_writer;

/*
 * NULL: no entry of that name, it cannot move the cursor, or no memory. One at
 * a time.
 */
struct tty_writer *tty_writer_open(const char *term, enum ui_color color,
				   const struct term_env *env);
void tty_writer_close(struct tty_writer *w); /* NULL is fine */

/* NULL: it has none. */
const char *tty_capability(const char *name);

/* Without padding, which terminals do not need today. */
void tty_capability_put(struct buf *b, const char *s);
void tty_writer_string(struct tty_bytes *out, const char *name);
void tty_writer_move(struct tty_bytes *out, int x, int y);

bool tty_writer_colors(const struct tty_writer *w);

/* Both forget what is shown; false: no memory. */
bool tty_writer_resize(struct tty_writer *w, int width, int height);
void tty_writer_forget(struct tty_writer *w);

/* Adds what differs from what is shown. */
void tty_writer_show(struct tty_writer *w, const struct canvas *c,
		     const struct theme *theme, struct tty_bytes *out);

#endif
