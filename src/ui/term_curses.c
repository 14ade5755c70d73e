/*
 * The only file that knows curses. It draws into an unlinked temporary file;
 * what it wrote there is read back and sent to the terminal in one write that
 * does not block, so that a terminal that is stopped or slow never stops ktop.
 * (ncurses itself issues one write for each changed row, and blocks.)
 */
#include "ui/tty.h"

#include "ui/glyphs.h"
#include "ui/keys.h"
#include "ui/tty_line.h"

#include <curses.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum {
	PAIR_MAX = 255, /* without init_extended_pair, which macOS lacks */
	RESCUE_SIZE = 128
};

struct pair {
	int fg, bg;
};

struct tty {
	SCREEN *screen;
	FILE *file; /* what curses takes for the terminal */
	struct tty_line line;
	bool up; /* the screen is ours at the moment */
	enum theme_depth depth;
	enum canvas_glyphs glyphs;
	int w, h;

	struct cell *shown; /* [h * w]; glyph[0] = 0: not known */
	unsigned shown_room;
	int shown_w, shown_h;
	uint64_t skipped;

	struct pair pair[PAIR_MAX + 1]; /* of curses' pair numbers */
	int npairs, pairs_max;

	struct tty_bytes raw; /* as curses wrote it */
	struct theme_table table;
	bool table_made;
	struct cell last; /* the last one put, and what it came to */
	attr_t last_attrs;
	short last_pair;

	char rescue[RESCUE_SIZE]; /* ends attributes and the other screen */
	size_t rescue_len;
};

/* For tty_rescue, which a signal handler calls: the one open terminal. */
static struct tty *volatile rescue_tty;

/* Takes what curses has written since into the queue. */
static bool
collect(struct tty *t)
{
	int fd = fileno(t->file);

	fflush(t->file);
	off_t size = lseek(fd, 0, SEEK_END);

	if (size <= 0)
		return true;
	t->raw.len = 0;
	if (!tty_bytes_reserve(&t->raw, (size_t)size))
		return false;
	ssize_t got = pread(fd, t->raw.at, (size_t)size, 0);

	t->raw.len = got > 0 ? (size_t)got : 0;
	rewind(t->file);
	if (ftruncate(fd, 0) != 0)
		t->line.gone =
			true; /* the disk is gone: nothing can be shown */
	lseek(fd, 0, SEEK_SET);
	return tty_line_queue(&t->line, t->raw.at, t->raw.len,
			      t->depth == THEME_TRUE);
}

/* colours */

/* The pair of these colours; when all are used, one with that background. */
static short
pair_of(struct tty *t, int fg, int bg)
{
	int same = 0;

	if (fg < 0 && bg < 0)
		return 0;
	for (int i = 1; i <= t->npairs; i++) {
		if (t->pair[i].fg == fg && t->pair[i].bg == bg)
			return (short)i;
		if (t->pair[i].bg == bg && same == 0)
			same = i;
	}
	if (t->npairs >= t->pairs_max)
		return (short)same;
	if (init_pair((short)(t->npairs + 1), (short)fg, (short)bg) == ERR)
		return (short)same;
	t->pair[++t->npairs] = (struct pair){ fg, bg };
	return (short)t->npairs;
}

/* Eight colours and bold stand for sixteen. */
static int
color_index(struct tty *t, int color, attr_t *attrs)
{
	if (color < 0)
		return -1;
	if (t->depth == THEME_TRUE)
		return tty_line_slot(&t->line, (uint32_t)color);
	if (t->depth == THEME_16 && COLORS < 16 && color > 7) {
		if (attrs != NULL)
			*attrs |= A_BOLD;
		return color - 8;
	}
	return color;
}

/* What the cell's role comes to; most have that of the one before. */
static void
cell_look(struct tty *t, const struct theme *theme, const struct cell *cell)
{
	const struct cell *last = &t->last;
	/* Blanks between numbers keep their look: no colours to and fro. */
	enum role role =
		cell->role == ROLE_NONE ? ROLE_TEXT : (enum role)cell->role;

	if (last->glyph[0] != 0 && last->role == cell->role &&
	    last->under == cell->under && last->step == cell->step &&
	    last->plain == cell->plain)
		return;
	struct theme_paint p = theme_table_paint(
		theme, &t->table, role, (enum role)cell->under, cell->step);
	attr_t attrs = A_NORMAL;

	attrs |= (p.attrs & THEME_BOLD) != 0 && cell->plain == 0 ? A_BOLD : 0;
	attrs |= (p.attrs & THEME_DIM) != 0 ? A_DIM : 0;
	attrs |= (p.attrs & THEME_UNDERLINE) != 0 ? A_UNDERLINE : 0;
	attrs |= (p.attrs & THEME_REVERSE) != 0 ? A_REVERSE : 0;
	int fg = color_index(t, p.fg, &attrs), bg = color_index(t, p.bg, NULL);

	t->last_pair = t->depth == THEME_MONO ? 0 : pair_of(t, fg, bg);
	t->last_attrs = attrs;
	t->last = *cell;
}

static void
cell_put(struct tty *t, const struct theme *theme, int x, int y,
	 const struct cell *cell)
{
	wchar_t text[2] = { L'?', 0 };
	char glyph[5] = { 0 };
	cchar_t c;

	cell_look(t, theme, cell);
	memcpy(glyph, cell->glyph, 4);
	if ((unsigned char)glyph[0] < 0x80)
		text[0] = (unsigned char)glyph[0];
	else if (mbtowc(text, glyph, 4) <= 0)
		text[0] = L'?';
	if (setcchar(&c, text, t->last_attrs, t->last_pair, NULL) == OK)
		mvadd_wch(y, x, &c);
}

/* Cells that differ from what is shown, and only those. */
static bool
paint(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	bool any = false;
	int w = c->w < t->shown_w ? c->w : t->shown_w;
	int h = c->h < t->shown_h ? c->h : t->shown_h;

	for (int y = 0; y < h; y++) {
		const struct cell *row = &c->cell[y * c->w];
		struct cell *old = &t->shown[y * t->shown_w];

		if (memcmp(row, old, (size_t)w * sizeof *row) == 0)
			continue;
		for (int x = 0; x < w; x++) {
			if (memcmp(&row[x], &old[x], sizeof *row) == 0)
				continue;
			cell_put(t, theme, x, y, &row[x]);
			old[x] = row[x];
		}
		any = true;
	}
	return any;
}

bool
tty_show(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	if (!t->up || t->line.gone)
		return !t->line.gone;
	if (t->line.queue.len > 0 && (!tty_flush(t) || t->line.queue.len > 0)) {
		t->skipped++;
		return !t->line.gone;
	}
	if (!t->table_made)
		theme_table_make(theme, t->depth, &t->table);
	t->table_made = true;
	if (paint(t, c, theme)) {
		wnoutrefresh(stdscr);
		doupdate();
	}
	if (!collect(t))
		tty_forget(t); /* no memory: all of it, next time */
	return tty_flush(t);
}

void
tty_forget(struct tty *t)
{
	for (int i = 0; i < t->shown_w * t->shown_h; i++)
		t->shown[i].glyph[0] = 0;
	t->npairs = 0;
	t->table_made = false;
	t->last.glyph[0] = 0;
	t->line.nslots = 0;
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

		if (grown == NULL)
			return false;
		t->shown = grown;
		t->shown_room = need;
	}
	/* Room for a full screen: nothing grows on a tick. */
	if (!tty_bytes_reserve(&t->raw, need * 12) ||
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

/* curses catches signals that nobody catches; they are the application's. */
static SCREEN *
quiet_newterm(FILE *file)
{
	static const int caught[] = { SIGINT, SIGTERM, SIGTSTP, SIGWINCH };
	enum { N = sizeof caught / sizeof *caught };
	struct sigaction before[N];

	for (int i = 0; i < N; i++)
		sigaction(caught[i], NULL, &before[i]);
	SCREEN *s = newterm(NULL, file, stdin);

	for (int i = 0; i < N; i++)
		sigaction(caught[i], &before[i], NULL);
	return s;
}

static enum theme_depth
find_depth(enum ui_color color)
{
	const char *how = getenv("COLORTERM"), *none = getenv("NO_COLOR");

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
	if (how != NULL &&
	    (strcmp(how, "truecolor") == 0 || strcmp(how, "24bit") == 0))
		return THEME_TRUE;
	/* tigetflag: 1 if the terminfo entry has ncurses' RGB. */
	static const char rgb[] = "RGB";

	return tigetflag((char *)(uintptr_t)rgb) == 1 ? THEME_TRUE : THEME_256;
}

static void
rescue_add(struct tty *t, const char *capability)
{
	char *s = tigetstr((char *)(uintptr_t)capability);

	if (s == NULL || s == (char *)-1)
		return;
	size_t n = strlen(s);

	/* Padding like $<5> would be shown as it stands; none is needed. */
	if (strchr(s, '<') != NULL || t->rescue_len + n > RESCUE_SIZE)
		return;
	memcpy(t->rescue + t->rescue_len, s, n);
	t->rescue_len += n;
}

static void
rescue_arm(struct tty *t)
{
	t->rescue[t->rescue_len++] = 0x18; /* CAN: ends a cut-off sequence */
	rescue_add(t, "sgr0");
	rescue_add(t, "rmcup");
	rescue_add(t, "cnorm");
	rescue_tty = t;
}

void
tty_rescue(void)
{
	struct tty *t = rescue_tty;

	if (t == NULL || !t->up)
		return;
	ssize_t n = write(t->line.out, t->rescue, t->rescue_len);

	(void)n;
	tcsetattr(t->line.in, TCSANOW, &t->line.saved);
}

static void
settings(void)
{
	nonl();
	leaveok(stdscr, FALSE);
	scrollok(stdscr, FALSE);
	curs_set(0);
}

static bool
start(struct tty *t, enum ui_color color, enum ui_glyphs glyphs, struct err *e)
{
	const char *term = getenv("TERM");

	t->file = tmpfile();
	if (t->file == NULL)
		return err_set(
			e, ERR_FAIL,
			"terminal: no temporary file: %s; is TMPDIR full?",
			strerror(errno));
	if (term == NULL || term[0] == 0 || strcmp(term, "dumb") == 0)
		return err_set(e, ERR_USAGE,
			       "TERM=%s cannot place text; set TERM, or use -b",
			       term != NULL ? term : "");
	t->screen = quiet_newterm(t->file);
	if (t->screen == NULL)
		return err_set(e, ERR_USAGE,
			       "the terminal \"%s\" is not known here; set "
			       "TERM (xterm "
			       "often does), or use -b",
			       term);
	t->depth = find_depth(color);
	t->glyphs = glyphs_choose(glyphs);
	t->pairs_max = COLOR_PAIRS - 1 < PAIR_MAX ? COLOR_PAIRS - 1 : PAIR_MAX;
	settings();
	if (!tty_resized(t))
		return err_set(e, ERR_FAIL, "terminal: out of memory");
	tty_line_raw(&t->line);
	t->up = true;
	rescue_arm(t);
	return true;
}

struct tty *
tty_open(enum ui_color color, enum ui_glyphs glyphs, struct err *e)
{
	struct tty *t = calloc(1, sizeof *t);

	if (t == NULL) {
		err_set(e, ERR_FAIL, "terminal: out of memory");
		return NULL;
	}
	if (!tty_line_open(&t->line, e) || !start(t, color, glyphs, e)) {
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
	tty_line_drain(&t->line);
	endwin();
	collect(t);
	tty_line_drain(&t->line);
	tty_line_restore(&t->line);
	t->up = false;
}

void
tty_close(struct tty *t)
{
	if (t == NULL)
		return;
	leave(t);
	if (rescue_tty == t)
		rescue_tty = NULL;
	if (t->screen != NULL)
		delscreen(t->screen);
	if (t->file != NULL)
		fclose(t->file);
	tty_line_close(&t->line);
	free(t->shown);
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
tty_flush(struct tty *t)
{
	return tty_line_flush(&t->line);
}

int
tty_key(struct tty *t)
{
	return t->up ? tty_line_key(&t->line) : KEY_NONE;
}
