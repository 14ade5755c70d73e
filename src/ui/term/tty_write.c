#include "ui/term/tty_inner.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

enum {
	LOOKS = 256,
	LOOK_SIZE = 80 /* reset, attributes, two 24-bit colours */
};

/* The bytes that set a look after any other look. */
struct look {
	uint32_t of;
	uint8_t len; /* 0: the entry is empty */
	char text[LOOK_SIZE];
};

struct tty_writer {
	int colors;
	enum theme_depth depth;
	struct look look[LOOKS];
	const struct look *pen; /* look of the terminal now; NULL: unknown */
	bool fresh;
	bool scrolls; /* the terminal scrolls after the last cell */
	bool ansi;    /* cup and cuf are ECMA-48's, so tparm is not needed */
	int w, h;
	int x, y;           /* y < 0: unknown */
	struct cell *shown; /* [h * w]; 0: unknown */
};

/* Names are cast, since older headers of terminfo lack const. */

const char *
tty_capability(const char *name)
{
	const char *s = tigetstr((char *)(uintptr_t)name);

	return s == (const char *)-1 ? NULL : s;
}

static bool
terminfo_flag(const char *name)
{
	return tigetflag((char *)(uintptr_t)name) == 1;
}

static const char *
terminfo_string(const char *name, int a, int b)
{
	const char *s = tty_capability(name);

	return s == NULL ? NULL
			 : tparm((char *)(uintptr_t)s, (long)a, (long)b, 0L, 0L,
				 0L, 0L, 0L, 0L, 0L);
}

static enum theme_depth
terminfo_depth(int colors, enum ui_color color, const struct term_env *env)
{
	const char *none = getenv("NO_COLOR");

	if (color == UI_COLOR_NEVER ||
	    (color == UI_COLOR_AUTO && none != NULL && none[0] != 0) ||
	    colors < 8 || tty_capability("setaf") == NULL ||
	    tty_capability("setab") == NULL)
		return THEME_MONO;
	if (colors < 256)
		return THEME_16;
	return term_draws_all_colors(env) || terminfo_flag("RGB") ? THEME_TRUE
								  : THEME_256;
}

struct tty_writer *
tty_writer_open(const char *term, enum ui_color color,
		const struct term_env *env)
{
	int error;

	if (setupterm((char *)(uintptr_t)term, STDOUT_FILENO, &error) != OK)
		return NULL;
	struct tty_writer *w = calloc(1, sizeof *w);

	if (w == NULL || tty_capability("cup") == NULL || terminfo_flag("gn")) {
		del_curterm(cur_term);
		free(w);
		return NULL;
	}
	w->colors = tigetnum((char *)(uintptr_t) "colors");
	w->depth = terminfo_depth(w->colors, color, env);
	w->scrolls = terminfo_flag("am") && !terminfo_flag("xenl");
	const char *right = terminfo_string("cuf", 12, 0);

	w->ansi = right != NULL && strcmp(right, "\033[12C") == 0 &&
		  strcmp(terminfo_string("cup", 11, 33), "\033[12;34H") == 0;
	return w;
}

void
tty_writer_close(struct tty_writer *w)
{
	if (w == NULL)
		return;
	del_curterm(cur_term);
	free(w->shown);
	free(w);
}

bool
tty_writer_colors(const struct tty_writer *w)
{
	return w->depth != THEME_MONO;
}

void
tty_writer_forget(struct tty_writer *w)
{
	w->fresh = true;
	w->pen = NULL;
	memset(w->look, 0, sizeof w->look);
}

bool
tty_writer_resize(struct tty_writer *w, int width, int height)
{
	size_t need = (size_t)width * (size_t)height;
	struct cell *shown = realloc(w->shown, need * sizeof *shown);

	if (shown == NULL)
		return false;
	w->shown = shown;
	w->w = width;
	w->h = height;
	tty_writer_forget(w);
	return true;
}

void
tty_capability_put(struct buf *b, const char *s)
{
	while (s != NULL && *s != 0) {
		const char *pad = strstr(s, "$<");
		const char *end = pad != NULL ? strchr(pad, '>') : NULL;

		buf_bytes(b, s, end != NULL ? (size_t)(pad - s) : strlen(s));
		s = end != NULL ? end + 1 : NULL;
	}
}

static void
tty_put_string(struct tty_bytes *out, const char *s)
{
	char text[128];
	struct buf b = buf_over(text, sizeof text);

	tty_capability_put(&b, s);
	tty_bytes_put(out, text, b.len);
}

void
tty_writer_string(struct tty_bytes *out, const char *name)
{
	tty_put_string(out, tty_capability(name));
}

void
tty_writer_move(struct tty_bytes *out, int x, int y)
{
	tty_put_string(out, terminfo_string("cup", y, x));
}

/* clang-format off */
static const struct {
	unsigned bit;
	int ncv; /* bit in "no colour video" */
	const char *name;
} attribute[] = {
	{ THEME_UNDERLINE, 2, "smul" }, { THEME_REVERSE, 4, "rev" },
	{ THEME_DIM, 16, "dim" }, { THEME_BOLD, 32, "bold" },
};
/* clang-format on */

/* With eight colours, bold replaces bright colours, dim replaces grey text, and
 * blue replaces a grey background. */
static void
as_eight_colors(struct theme_paint *p)
{
	enum { BLUE = 4, GREY = 8 };

	if (p->bg == GREY)
		p->bg = BLUE;
	if (p->fg == GREY && p->bg < 0) {
		p->fg = -1;
		p->attrs |= THEME_DIM;
	}
	if (p->fg > 7) {
		p->fg -= 8;
		p->attrs |= THEME_BOLD;
	}
	if (p->bg > 7)
		p->bg -= 8;
}

static void
look_add_color(const struct tty_writer *w, struct buf *b, bool ground,
	       int color)
{
	if (color < 0 || w->depth == THEME_MONO)
		return;
	if (w->depth == THEME_TRUE)
		buf_printf(b, "\033[%d;2;%d;%d;%dm", ground ? 48 : 38,
			   color >> 16 & 255, color >> 8 & 255, color & 255);
	else
		tty_capability_put(
			b,
			terminfo_string(ground ? "setab" : "setaf", color, 0));
}

static void
look_make(const struct tty_writer *w, struct look *look,
	  const struct theme *theme, const struct cell *cell)
{
	/* Blanks have the look of text, so that the look changes less often. */
	enum role role =
		cell->role == ROLE_NONE ? ROLE_TEXT : (enum role)cell->role;
	struct theme_paint p = theme_paint(theme, w->depth, role,
					   (enum role)cell->under, cell->step);
	struct buf to = buf_over(look->text, sizeof look->text);
	int ncv = tigetnum((char *)(uintptr_t) "ncv");

	if (cell->plain != 0)
		p.attrs &= ~(unsigned)THEME_BOLD;
	if (w->depth == THEME_16 && w->colors < 16)
		as_eight_colors(&p);
	bool colored = w->depth != THEME_MONO && (p.fg >= 0 || p.bg >= 0);

	tty_capability_put(&to, tty_capability("sgr0"));
	for (unsigned i = 0; i < sizeof attribute / sizeof *attribute; i++)
		if ((p.attrs & attribute[i].bit) != 0 &&
		    !(colored && ncv > 0 && (ncv & attribute[i].ncv) != 0))
			tty_capability_put(&to,
					   tty_capability(attribute[i].name));
	look_add_color(w, &to, false, p.fg);
	look_add_color(w, &to, true, p.bg);
	look->len = (uint8_t)to.len;
}

static const struct look *
look_find(struct tty_writer *w, const struct theme *theme,
	  const struct cell *cell)
{
	uint32_t of = (uint32_t)cell->role | (uint32_t)cell->under << 8 |
		      (uint32_t)cell->step << 16 | (uint32_t)cell->plain << 24;
	struct look *look = &w->look[(of * 0x9e3779b1u) >> 24 & (LOOKS - 1)];

	if (look->of != of || look->len == 0) {
		if (look == w->pen)
			w->pen = NULL;
		look->of = of;
		look_make(w, look, theme, cell);
	}
	return look;
}

static void
look_write(struct tty_writer *w, const struct look *look, struct tty_bytes *out)
{
	const struct look *pen = w->pen;

	w->pen = look;
	if (pen == NULL || pen->len != look->len ||
	    memcmp(pen->text, look->text, look->len) != 0)
		tty_bytes_put(out, look->text, look->len);
}

/* Appends n (below 10000); snprintf would need 700 instructions for a move. */
static char *
look_add_number(char *to, int n)
{
	for (int unit = 1000; unit > 1; unit /= 10)
		if (n >= unit)
			*to++ = (char)('0' + n / unit % 10);
	*to++ = (char)('0' + n % 10);
	return to;
}

static void
cursor_move_write(const struct tty_writer *w, int x, int y,
		  struct tty_bytes *out)
{
	char text[16] = "\033[", *end = text + 2;

	if (!w->ansi) {
		tty_writer_move(out, x, y);
		return;
	}
	if (y == w->y && x > w->x) { /* shorter than an absolute position */
		end = look_add_number(end, x - w->x);
		*end++ = 'C';
	} else {
		end = look_add_number(end, y + 1);
		*end++ = ';';
		end = look_add_number(end, x + 1);
		*end++ = 'H';
	}
	tty_bytes_put(out, text, (size_t)(end - text));
}

static void
cell_write(struct tty_writer *w, const struct theme *theme,
	   const struct cell *now, int x, int y, struct tty_bytes *out)
{
	struct cell *old = &w->shown[y * w->w + x];
	bool wide = x + 1 < w->w && cell_is_rest(&now[1]);

	old[0] = now[0];
	if (wide)
		old[1] = now[1];
	if (w->scrolls && x == w->w - 1 && y == w->h - 1)
		return;
	if (w->x != x || w->y != y)
		cursor_move_write(w, x, y, out);
	look_write(w, look_find(w, theme, now), out);
	if (now->glyph[1] == 0 && out->len < out->size)
		out->at[out->len++] = now->glyph[0];
	else
		tty_bytes_put(out, now->glyph,
			      now->glyph[0] == 0
				      ? 1
				      : strnlen(now->glyph, sizeof now->glyph));
	w->x = x + 1;
	/* The position is unknown after the last column, where the cursor may
	 * stay, and after a wide letter, whose width differs. */
	w->y = wide || w->x >= w->w ? -1 : y;
}

static void
row_write_changes(struct tty_writer *w, const struct theme *theme,
		  const struct cell *now, int y, int width,
		  struct tty_bytes *out)
{
	const struct cell *old = &w->shown[y * w->w];

	for (int x = 0; x < width; x++) {
		if (cell_word(&now[x]) == cell_word(&old[x]))
			continue;
		if (x > 0 && cell_is_rest(&now[x]))
			x--;
		cell_write(w, theme, &now[x], x, y, out);
	}
}

void
tty_writer_show(struct tty_writer *w, const struct canvas *c,
		const struct theme *theme, struct tty_bytes *out)
{
	int width = c->w < w->w ? c->w : w->w;
	int height = c->h < w->h ? c->h : w->h;
	size_t before = out->len;

	if (w->fresh) {
		memset(w->shown, 0,
		       (size_t)w->w * (size_t)w->h * sizeof *w->shown);
		w->fresh = false;
		w->y = -1;
		tty_writer_string(out, "sgr0");
		tty_writer_string(out, "clear");
	}
	for (int y = 0; y < height; y++)
		row_write_changes(w, theme, &c->cell[y * c->w], y, width, out);
	if (out->len == before)
		return;
	/* Move the cursor to the top left, in case it cannot be hidden. */
	w->pen = NULL;
	w->x = w->y = 0;
	tty_writer_string(out, "sgr0");
	tty_writer_move(out, 0, 0);
}
