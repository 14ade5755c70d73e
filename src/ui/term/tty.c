/*
 * The terminal: terminfo says what it understands, a plain writer sends what
 * differs row by row. Nothing blocks: what the terminal does not take waits.
 */
#include "ui/term/tty.h"

#include "process/crash.h"
#include "process/terminal.h"
#include "ui/draw/keycode.h"
#include "ui/term/term_known.h"
#include "ui/term/tty_line.h"
#include "ui/term/tty_write.h"

#include <stdlib.h>
#include <string.h>
#include <termios.h>

enum { RESCUE_SIZE = 128 };

struct tty {
	struct tty_line line;
	struct tty_writer *writer;
	const char *as; /* the entry that stands in; NULL: its own */
	bool up;        /* the screen is ours at the moment */
	bool mouse;     /* reports are asked for */
	bool pastes;    /* the same of where pasted text begins and ends */
	enum canvas_glyphs glyphs;
	int w, h;
	uint64_t skipped;
	bool owes;                /* the last screen was skipped */
	char rescue[RESCUE_SIZE]; /* ends attributes and the other screen */
	size_t rescue_len;
};

/* ---- the terminal's entry, or one that stands in for it ---- */

static bool
term_start(struct tty *t, enum ui_color color, struct err *e)
{
	struct term_env env;

	term_env(&env);
	if (env.term == NULL || env.term[0] == 0 ||
	    strcmp(env.term, "dumb") == 0)
		return err_set(e, ERR_USAGE,
			       "TERM=%s cannot place text; set TERM, or use -b",
			       env.term != NULL ? env.term : "");
	const char *const *as = term_stand_ins(env.term);

	t->writer = tty_writer_open(env.term, color, &env);
	for (; t->writer == NULL && *as != NULL; as++) {
		t->writer = tty_writer_open(*as, color, &env);
		t->as = *as;
	}
	if (t->writer == NULL)
		return err_set(
			e, ERR_USAGE,
			"the terminal \"%s\" is not known here; set TERM (xterm-256color often does), or use -b",
			env.term);
	t->pastes = term_may_be_asked(&env);
	return true;
}

bool
tty_stands_in(const struct tty *t, char *out, size_t size)
{
	const char *term = getenv("TERM");
	struct buf b = buf_over(out, size);

	if (t->as == NULL)
		return false;
	buf_printf(&b,
		   "the terminal \"%s\" is not known here; it is drawn as %s",
		   term != NULL ? term : "", t->as);
	buf_cstr(&b);
	return true;
}

bool
tty_ground(struct tty *t, uint32_t *rgb)
{
	struct term_env env;

	term_env(&env);
	if (!tty_colors(t) || !term_may_be_asked(&env))
		return false;
	tty_line_ask(&t->line);
	*rgb = t->line.ground;
	return t->line.ground_known;
}

/* ---- screens ---- */

bool
tty_show(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	if (!t->up || t->line.gone)
		return !t->line.gone;
	if (t->line.queue.len > 0 && (!tty_flush(t) || t->line.queue.len > 0)) {
		t->skipped++;
		t->owes = true;
		return !t->line.gone;
	}
	t->owes = false;
	if (!tty_writer_show(t->writer, c, theme, &t->line.queue)) {
		t->line.queue.len = 0; /* no memory: all of it, next time */
		tty_forget(t);
	}
	return tty_flush(t);
}

void
tty_forget(struct tty *t)
{
	tty_writer_forget(t->writer);
}

bool
tty_resized(struct tty *t)
{
	int w, h;

	tty_line_size(&t->line, &w, &h);
	if (w > CANVAS_MAX_SIDE)
		w = CANVAS_MAX_SIDE;
	if (h > CANVAS_MAX_SIDE)
		h = CANVAS_MAX_SIDE;
	/* Room for a full screen: nothing grows on a tick. */
	if (!tty_writer_resize(t->writer, w, h) ||
	    !tty_bytes_reserve(&t->line.queue, (size_t)w * (size_t)h * 12))
		return false;
	t->w = w;
	t->h = h;
	return true;
}

/* ---- opening and closing ---- */

/* For the crash handler: the one open terminal. */
static struct tty *volatile rescue_tty;

static void
rescue_text(struct tty *t, const char *s)
{
	size_t n = s != NULL ? strlen(s) : 0;

	/* Padding like $<5> would be shown as it stands; none is needed. */
	if (n == 0 || strchr(s, '<') != NULL || t->rescue_len + n > RESCUE_SIZE)
		return;
	memcpy(t->rescue + t->rescue_len, s, n);
	t->rescue_len += n;
}

/* The screen and the line discipline as they were. */
static void
rescue(void)
{
	struct tty *t = rescue_tty;

	if (t == NULL || !t->up)
		return;
	terminal_force(t->line.out, t->rescue, t->rescue_len);
	/*
	 * An answer that is there would be typed at the prompt. TCSAFLUSH drops
	 * it as well, but first waits for output that nobody may ever read.
	 */
	if (t->line.asked_until_ns != 0)
		(void)tcflush(t->line.in, TCIFLUSH);
	tcsetattr(t->line.in, TCSANOW, &t->line.saved);
}

static void
rescue_arm(struct tty *t)
{
	t->rescue[t->rescue_len++] = 0x18; /* CAN: ends a cut-off sequence */
	if (t->mouse)
		rescue_text(t, TTY_MOUSE_OFF);
	if (t->pastes)
		rescue_text(t, TTY_PASTE_OFF);
	rescue_text(t, tty_capability("sgr0"));
	rescue_text(t, tty_capability("rmcup"));
	rescue_text(t, tty_capability("cnorm"));
	rescue_tty = t;
	crash_set_rescue(CRASH_TERMINAL, rescue);
}

static void
enter(struct tty *t)
{
	tty_line_raw(&t->line);
	t->up = true;
	tty_writer_enter(&t->line.queue);
	if (t->mouse)
		(void)tty_bytes_add(&t->line.queue, TTY_MOUSE_ON);
	if (t->pastes)
		(void)tty_bytes_add(&t->line.queue, TTY_PASTE_ON);
}

static bool
start(struct tty *t, enum ui_color color, enum ui_glyphs glyphs, bool mouse,
      struct err *e)
{
	if (!term_start(t, color, e))
		return false;
	t->glyphs = term_glyphs(glyphs);
	if (!tty_resized(t))
		return err_set(e, ERR_FAIL, "terminal: out of memory");
	/* Only terminals that say they have a mouse hear of it. */
	t->mouse = mouse && tty_capability("kmous") != NULL;
	enter(t);
	rescue_arm(t);
	return true;
}

struct tty *
tty_open(enum ui_color color, enum ui_glyphs glyphs, bool mouse, struct err *e)
{
	struct tty *t = calloc(1, sizeof *t);

	if (t == NULL)
		return err_null(e, ERR_FAIL, "terminal: out of memory");
	if (!tty_line_open(&t->line, e) || !start(t, color, glyphs, mouse, e)) {
		tty_close(t);
		return NULL;
	}
	return t;
}

static void
leave(struct tty *t)
{
	if (!t->up)
		return;
	/* What was cut off in the middle is finished first. */
	bool takes = tty_line_drain(&t->line);

	if (t->mouse)
		(void)tty_bytes_add(&t->line.queue, TTY_MOUSE_OFF);
	if (t->pastes)
		(void)tty_bytes_add(&t->line.queue, TTY_PASTE_OFF);
	tty_writer_leave(&t->line.queue, t->h);
	if (takes)
		takes = tty_line_drain(&t->line);
	else
		t->line.sent = t->line.queue.len = 0;
	if (!takes)
		terminal_force(t->line.out, t->rescue, t->rescue_len);
	tty_line_forget_answers(&t->line);
	tty_line_restore(&t->line);
	t->up = false;
}

void
tty_close(struct tty *t)
{
	if (t == NULL)
		return;
	leave(t);
	if (rescue_tty == t) {
		crash_set_rescue(CRASH_TERMINAL, NULL);
		rescue_tty = NULL;
	}
	tty_writer_close(t->writer);
	tty_line_close(&t->line);
	free(t);
}

void
tty_suspend(struct tty *t)
{
	leave(t);
}

void
tty_resume(struct tty *t)
{
	if (t->up || t->line.gone)
		return;
	(void)tty_resized(t);
	enter(t);
}

/* ---- what others ask ---- */

bool
tty_colors(const struct tty *t)
{
	return tty_writer_colors(t->writer);
}

enum canvas_glyphs
tty_glyphs(const struct tty *t)
{
	return t->glyphs;
}

void
tty_size(const struct tty *t, int *w, int *h)
{
	*w = t->w;
	*h = t->h;
}

int
tty_input_fd(const struct tty *t)
{
	return t->line.in;
}

int
tty_output_fd(const struct tty *t)
{
	return t->line.queue.len > 0 ? t->line.out : -1;
}

uint64_t
tty_skipped(const struct tty *t)
{
	return t->skipped;
}

bool
tty_owes(const struct tty *t)
{
	return t->owes && t->line.queue.len == 0;
}

bool
tty_flush(struct tty *t)
{
	return tty_line_flush(&t->line);
}

bool
tty_waits(const struct tty *t)
{
	return t->up && tty_line_waits(&t->line);
}

int
tty_key(struct tty *t)
{
	return t->up ? tty_line_key(&t->line) : KEY_NONE;
}
