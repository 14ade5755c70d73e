/* Colours and attributes: what roles come to on this terminal. */
#include "ui/term_tty.h"

#include <curses.h>

#include <string.h>

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

const char *
term_capability(const char *name)
{
	const char *s = tigetstr((char *)(uintptr_t)name);

	return s == (const char *)-1 ? NULL : s;
}

static void
add_color(struct buf *b, const char *name, int color)
{
	const char *s = color >= 0 ? term_capability(name) : NULL;

	if (s != NULL)
		buf_str(b, tparm((char *)(uintptr_t)s, (long)color, 0L, 0L, 0L,
				 0L, 0L, 0L, 0L, 0L));
}

/* The bytes that turn it on, whatever was on before. */
static void
look_make(const struct tty *t, struct tty_look *l)
{
	static const struct {
		attr_t bit;
		int ncv; /* its bit in "no colour video" */
		const char *name;
	} row[] = { { A_UNDERLINE, 2, "smul" },
		    { A_REVERSE, 4, "rev" },
		    { A_DIM, 16, "dim" },
		    { A_BOLD, 32, "bold" } };
	static const char ncv_name[] = "ncv";
	int ncv = tigetnum((char *)(uintptr_t)ncv_name);
	struct buf b = buf_over(l->on, sizeof l->on);

	buf_str(&b, term_capability("sgr0"));
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		const char *s = term_capability(row[i].name);

		if ((l->attrs & row[i].bit) != 0 && s != NULL &&
		    (l->pair == 0 || ncv < 0 || (ncv & row[i].ncv) == 0))
			buf_str(&b, s);
	}
	if (l->pair > 0) {
		add_color(&b, "setaf", t->pair[l->pair].fg);
		add_color(&b, "setab", t->pair[l->pair].bg);
	}
	l->len = (unsigned)b.len;
}

static int
look_of(struct tty *t, short pair, attr_t attrs)
{
	for (int i = 0; i < t->nlooks; i++)
		if (t->look[i].pair == pair && t->look[i].attrs == attrs)
			return i;
	if (t->nlooks == TTY_LOOKS)
		return 0; /* more than any theme has roles */
	struct tty_look *l = &t->look[t->nlooks];

	*l = (struct tty_look){ .pair = pair, .attrs = (unsigned)attrs };
	if (t->direct)
		look_make(t, l);
	return t->nlooks++;
}

/* What the cell's role comes to; most have that of the one before. */
int
term_look(struct tty *t, const struct theme *theme, const struct cell *cell)
{
	const struct cell *last = &t->last;
	/* Blanks between numbers keep their look: no colours to and fro. */
	enum role role =
		cell->role == ROLE_NONE ? ROLE_TEXT : (enum role)cell->role;

	if (last->glyph[0] != 0 && last->role == cell->role &&
	    last->under == cell->under && last->step == cell->step &&
	    last->plain == cell->plain)
		return t->last_look;
	struct theme_paint p = theme_table_paint(
		theme, &t->table, role, (enum role)cell->under, cell->step);
	attr_t attrs = A_NORMAL;

	attrs |= (p.attrs & THEME_BOLD) != 0 && cell->plain == 0 ? A_BOLD : 0;
	attrs |= (p.attrs & THEME_DIM) != 0 ? A_DIM : 0;
	attrs |= (p.attrs & THEME_UNDERLINE) != 0 ? A_UNDERLINE : 0;
	attrs |= (p.attrs & THEME_REVERSE) != 0 ? A_REVERSE : 0;
	int fg = color_index(t, p.fg, &attrs), bg = color_index(t, p.bg, NULL);

	t->last_look = look_of(
		t, t->depth == THEME_MONO ? 0 : pair_of(t, fg, bg), attrs);
	t->last = *cell;
	return t->last_look;
}
