/*
 * All that knows curses, together with term_look.c. It draws into a file in
 * memory; what it wrote there is read back and sent to the terminal in one
 * write that does not block, so that a terminal that is stopped or slow never
 * stops ktop. (ncurses itself issues one write for each changed row, and
 * blocks.)
 */
#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 600 /* wcwidth */
#endif
#include "process/crash.h"
#include "process/terminal.h"
#include "ui/draw/keycode.h"
#include "ui/term/scratch.h"
#include "ui/term/term_known.h"
#include "ui/term/term_tty.h"

#include <curses.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

/* the terminal's entry, or one that stands in for it, and what it can do */

/* curses catches signals that nobody catches; they are the application's. */
static SCREEN *
quiet_newterm(const char *name, FILE *file)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	enum { N = sizeof caught / sizeof *caught };
	struct sigaction before[N];

	for (int i = 0; i < N; i++)
		sigaction(caught[i], NULL, &before[i]);
	SCREEN *s = newterm((char *)(uintptr_t)name, file, stdin);

	for (int i = 0; i < N; i++)
		sigaction(caught[i], &before[i], NULL);
	return s;
}

static enum theme_depth
find_depth(enum ui_color color, const struct term_env *env)
{
	const char *none = getenv("NO_COLOR");

	if (color == UI_COLOR_NEVER ||
	    (color == UI_COLOR_AUTO && none != NULL && none[0] != 0) ||
	    !has_colors())
		return THEME_MONO;
	/* COLORS and COLOR_PAIRS are 0 before this. */
	if (start_color() == ERR || COLORS < 8)
		return THEME_MONO;
	use_default_colors();
	if (COLORS < 256)
		return THEME_16;
	if (term_draws_all_colors(env))
		return THEME_TRUE;
	/* tigetflag: 1 if the terminfo entry has ncurses' RGB. */
	static const char rgb[] = "RGB";

	return tigetflag((char *)(uintptr_t)rgb) == 1 ? THEME_TRUE : THEME_256;
}

/*
 * curses cannot ask its file for the size, and sets the scrolling region by
 * what it believes: one of 24 rows would outlive us in a larger terminal.
 */
static void
tell_size(const struct tty *t)
{
	char text[16];
	int w, h;

	tty_line_size(&t->line, &w, &h);
	snprintf(text, sizeof text, "%d", h);
	(void)setenv("LINES", text, 1);
	snprintf(text, sizeof text, "%d", w);
	(void)setenv("COLUMNS", text, 1);
}

/* By its own entry, else by one that describes it well enough. */
static bool
open_entry(struct tty *t, const char *term)
{
	const char *const *as = term_stand_ins(term);

	t->screen = quiet_newterm(term, t->file);
	for (; t->screen == NULL && *as != NULL; as++) {
		t->screen = quiet_newterm(*as, t->file);
		t->as = *as;
	}
	return t->screen != NULL;
}

/* The file, curses on it, and the colours there are. */
static bool
term_start(struct tty *t, enum ui_color color, struct err *e)
{
	struct term_env env;

	term_env(&env);
	t->file = scratch_open();
	if (t->file == NULL)
		return err_set(
			e, ERR_FAIL,
			"terminal: no temporary file: %s; is TMPDIR full?",
			strerror(errno));
	if (env.term == NULL || env.term[0] == 0 ||
	    strcmp(env.term, "dumb") == 0)
		return err_set(e, ERR_USAGE,
			       "TERM=%s cannot place text; set TERM, or use -b",
			       env.term != NULL ? env.term : "");
	tell_size(t);
	if (!open_entry(t, env.term))
		return err_set(
			e, ERR_USAGE,
			"the terminal \"%s\" is not known here; set TERM (xterm-256color often does), or use -b",
			env.term);
	t->depth = find_depth(color, &env);
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
	if (t->depth == THEME_MONO || !term_may_be_asked(&env))
		return false;
	tty_line_ask(&t->line);
	*rgb = t->line.ground;
	return t->line.ground_known;
}

/* For the crash handler: the one open terminal. */
static struct tty *volatile rescue_tty;

/* Takes what curses has written since into the queue. */
static bool
collect(struct tty *t)
{
	int fd = fileno(t->file);

	/*
	 * The position is where curses stopped; older bytes behind it stay and
	 * are written over, because cutting the file costs more than a refresh.
	 */
	fflush(t->file); /* Apple's older curses goes through stdio */
	off_t size = lseek(fd, 0, SEEK_CUR);

	if (size <= 0)
		return true;
	t->raw.len = 0;
	if (!tty_bytes_reserve(&t->raw, (size_t)size))
		return false;
	ssize_t got = pread(fd, t->raw.at, (size_t)size, 0);

	t->raw.len = got > 0 ? (size_t)got : 0;
	lseek(fd, 0, SEEK_SET);
	return tty_line_queue(&t->line, t->raw.at, t->raw.len,
			      t->depth == THEME_TRUE);
}

/* The letter and what stands on it; '?' where the locale has no such. */
static void
glyph_wide(const struct cell *cell, wchar_t text[3])
{
	const char *at = cell->glyph, *end = at + sizeof cell->glyph;
	int n = 0, bytes = 1;

	memset(text, 0, 3 * sizeof *text);
	(void)mbtowc(NULL, NULL, 0);
	for (; n < 2 && at < end && *at != 0 && bytes > 0; at += bytes)
		if ((bytes = mbtowc(&text[n], at, (size_t)(end - at))) > 0)
			n++;
	if (n == 0)
		text[0] = L'?';
}

static void
ascii_put(int x, int y, int sign, short pair, attr_t attrs)
{
	/* Half the work of a wide one. */
	mvaddch(y, x, (chtype)sign | attrs | (chtype)COLOR_PAIR(pair));
}

static void
cell_put(struct tty *t, int x, int y, short pair, attr_t attrs)
{
	const struct cell *cell = &t->shown[y * t->shown_w + x];
	bool wide = x + 1 < t->shown_w && cell_is_rest(cell + 1);
	wchar_t text[3];
	cchar_t c;

	if (cell_is_rest(cell))
		return;
	if ((unsigned char)cell->glyph[0] < 0x80) {
		ascii_put(x, y, (unsigned char)cell->glyph[0], pair, attrs);
		return;
	}
	glyph_wide(cell, text);
	/* Curses goes by the locale's widths, which may be of long ago. */
	if (wide && wcwidth(text[0]) != 2) {
		ascii_put(x, y, '?', pair, attrs);
		ascii_put(x + 1, y, '?', pair, attrs);
	} else if (setcchar(&c, text, attrs, pair, NULL) == OK) {
		mvadd_wch(y, x, &c);
	}
}

/* By curses: a screen that is new, or a terminal with ways of its own. */
static void
paint_whole(struct tty *t, int n)
{
	for (int i = 0; i < n; i++) {
		const struct tty_change *one = &t->change[i];
		const struct tty_look *look = &t->look[one->look];

		for (int k = 0; k < one->cells; k++)
			cell_put(t, one->x + k, one->y, look->pair,
				 look->attrs);
	}
	if (n > 0) {
		move(0, 0); /* where a cursor that cannot be hidden is least in
			       the way */
		wnoutrefresh(stdscr);
		doupdate();
	}
}

/*
 * Curses clears, nothing more: the rest is written as changes are; all of it
 * where the theme paints a ground of its own.
 */
static bool
clear_whole(struct tty *t, const struct theme *theme)
{
	bool ground = theme->style[ROLE_NONE].bg.set && t->depth != THEME_MONO;

	for (int i = 0; i < t->shown_w * t->shown_h; i++)
		t->shown[i] = (struct cell){ .glyph = { ground ? 0 : ' ' } };
	memset(t->look_at, 0, (size_t)t->shown_w * (size_t)t->shown_h);
	t->whole = false;
	erase();
	clearok(stdscr, TRUE);
	wnoutrefresh(stdscr);
	doupdate();
	return collect(t);
}

static bool
paint_direct(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	int slides = 0, n;

	if (t->whole && !clear_whole(t, theme))
		return false;
	if (t->ways.slide)
		slides = term_slides(t, c, theme);
	n = term_changes(t, c, theme);
	const struct tty_grid grid = { t->shown,   t->look_at, t->shown_w,
				       t->shown_h, t->look,    t->ways,
				       &t->steps,  &t->pens };

	t->raw.len = 0;
	return tty_cells_add(&t->raw, &grid, t->slide, slides, t->change, n,
			     &t->ends) &&
	       tty_line_queue(&t->line, t->raw.at, t->raw.len, false);
}

static bool
paint(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	if (t->direct)
		return paint_direct(t, c, theme);
	paint_whole(t, term_changes(t, c, theme));
	t->whole = false;
	return collect(t);
}

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
	if (!t->table_made)
		theme_table_make(theme, t->depth, &t->table);
	t->table_made = true;
	if (!paint(t, c, theme))
		tty_forget(t); /* no memory: all of it, next time */
	return tty_flush(t);
}

void
tty_forget(struct tty *t)
{
	for (int i = 0; i < t->shown_w * t->shown_h; i++)
		t->shown[i] = (struct cell){ .role = 0 };
	term_looks_reset(t);
	t->whole = true;
	t->table_made = false;
	clearok(stdscr, TRUE);
}

/* size */

bool
tty_resized(struct tty *t)
{
	int w, h;

	tty_line_size(&t->line, &w, &h);
	if (w > CANVAS_MAX_SIDE)
		w = CANVAS_MAX_SIDE;
	if (h > CANVAS_MAX_SIDE)
		h = CANVAS_MAX_SIDE;
	unsigned need = (unsigned)w * (unsigned)h;

	if (need > t->shown_room) {
		struct cell *grown = realloc(t->shown, need * sizeof *grown);

		if (grown != NULL)
			t->shown = grown;
		struct tty_change *change =
			realloc(t->change, need * sizeof *change);

		if (change != NULL)
			t->change = change;
		uint8_t *look_at = realloc(t->look_at, need);

		if (look_at != NULL)
			t->look_at = look_at;
		if (grown == NULL || change == NULL || look_at == NULL)
			return false;
		t->shown_room = need;
	}
	/* Room for a full screen: nothing grows on a tick. */
	if (!tty_bytes_reserve(&t->raw, need * 24) ||
	    !tty_bytes_reserve(&t->line.queue, need * 12))
		return false;
	t->w = t->shown_w = w;
	t->h = t->shown_h = h;
	resizeterm(h, w);
	tty_forget(t);
	erase();
	return true;
}

/* opening and closing */

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
	rescue_text(t, term_capability("sgr0"));
	rescue_text(t, term_capability("rmcup"));
	rescue_text(t, term_capability("cnorm"));
	rescue_tty = t;
	crash_set_rescue(CRASH_TERMINAL, rescue);
}

static void
modes_set(struct tty *t, bool on)
{
	const char *mouse = on ? TTY_MOUSE_ON : TTY_MOUSE_OFF;
	const char *paste = on ? TTY_PASTE_ON : TTY_PASTE_OFF;

	if (t->mouse)
		(void)tty_line_queue(&t->line, mouse, strlen(mouse), false);
	if (t->pastes)
		(void)tty_line_queue(&t->line, paste, strlen(paste), false);
}

/* Changes end with the cursor where curses leaves it, if it can be seen. */
static void
ends_make(struct tty *t)
{
	struct buf after = buf_over(t->ends.after, sizeof t->ends.after);

	if (term_capability("civis") == NULL)
		buf_str(&after, "\033[H");
	buf_cstr(&after);
}

static void
settings(void)
{
	nonl();
	typeahead(
		-1); /* input is ours: no poll and no write for each few rows */
	leaveok(stdscr, FALSE);
	scrollok(stdscr, FALSE);
	curs_set(0);
}

static bool
start(struct tty *t, enum ui_color color, enum ui_glyphs glyphs, bool mouse,
      struct err *e)
{
	struct term_env env;

	if (!term_start(t, color, e))
		return false;
	term_env(&env);
	t->glyphs = term_glyphs(glyphs);
	t->direct = term_speaks_plainly(t);
	ends_make(t);
	t->pairs_max = COLOR_PAIRS - 1 < PAIR_MAX ? COLOR_PAIRS - 1 : PAIR_MAX;
	settings();
	if (!tty_resized(t))
		return err_set(e, ERR_FAIL, "terminal: out of memory");
	tty_line_raw(&t->line);
	t->up = true;
	/* Only terminals that say they have a mouse hear of it. */
	t->mouse = mouse && term_capability("kmous") != NULL;
	t->pastes = term_may_be_asked(&env);
	modes_set(t, true);
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

	modes_set(t, false);
	endwin();
	collect(t);
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
	if (t->screen != NULL)
		delscreen(t->screen);
	if (t->file != NULL)
		fclose(t->file);
	tty_line_close(&t->line);
	free(t->shown);
	free(t->change);
	free(t->look_at);
	free(t->raw.at);
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
	tty_line_raw(&t->line);
	t->up = true;
	(void)tty_resized(t);
	curs_set(0);
	modes_set(t, true);
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
