/* What differs between the canvas and what the terminal shows. */
#include "ui/term/term_tty.h"

#include <string.h>

/* Bytes, about: to get to a cell, and to move part of a row. */
enum { COST_MOVE = 4, COST_SLIDE = 20 };

enum { BLOCK = 8 }; /* cells compared at once */

static bool
is_blank(const struct cell *c)
{
	return c->glyph[0] == ' ';
}

/* Roles may differ where the colours do not. */
static bool
shows_same(struct tty *t, const struct theme *theme, const struct cell *now,
	   int at)
{
	const struct cell *old = &t->shown[at];

	if (memcmp(now, old, sizeof *now) == 0)
		return true;
	if (memcmp(now->glyph, old->glyph, sizeof now->glyph) != 0)
		return false;
	int look = term_look(t, theme, now), ground = t->look[look].ground;

	return look == t->look_at[at] ||
	       (is_blank(now) && ground >= 0 &&
		ground == t->look[t->look_at[at]].ground);
}

static int
glyph_cost(const struct cell *c)
{
	return (unsigned char)c->glyph[0] < 0x80 ? 1 : 3;
}

/* To make the w cells at `at` show `now` when they show what is `by` further.
 */
static int
row_cost(struct tty *t, const struct theme *theme, const struct cell *now,
	 int at, int w, int by)
{
	int cost = 0, last = -2;

	for (int i = 0; i < w - by; i++) {
		if (shows_same(t, theme, &now[i], at + i + by))
			continue;
		cost += glyph_cost(&now[i]) + (last == i - 1 ? 0 : COST_MOVE);
		last = i;
	}
	return cost;
}

static void
slide_row(struct tty *t, const struct theme *theme, const struct cell *now,
	  int at, int w)
{
	size_t n = (size_t)w - 1;

	memmove(&t->shown[at], &t->shown[at + 1], n * sizeof *t->shown);
	memmove(&t->look_at[at], &t->look_at[at + 1], n);
	t->shown[at + w - 1] = now[w - 1];
	t->look_at[at + w - 1] = (uint8_t)term_look(t, theme, &now[w - 1]);
}

int
term_slides(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	int n = 0;

	for (unsigned i = 0; i < c->nslides; i++) {
		const struct rect *r = &c->slide[i];

		/* Behind the last column the cursor would wait. */
		if (r->x + r->w >= t->shown_w)
			continue;
		for (int y = r->y; y < r->y + r->h && y < t->shown_h; y++) {
			const struct cell *now = &c->cell[y * c->w + r->x];
			int at = y * t->shown_w + r->x;
			int stay = row_cost(t, theme, now, at, r->w, 0);

			if (n == SLIDES_MAX || stay <= COST_SLIDE ||
			    stay <= COST_SLIDE + row_cost(t, theme, now, at,
							  r->w, 1))
				continue;
			slide_row(t, theme, now, at, r->w);
			t->slide[n++] = (struct tty_slide){
				.y = y, .x = r->x, .last = r->x + r->w - 1
			};
		}
	}
	return n;
}

int
term_changes(struct tty *t, const struct canvas *c, const struct theme *theme)
{
	int n = 0, w = c->w < t->shown_w ? c->w : t->shown_w;
	int h = c->h < t->shown_h ? c->h : t->shown_h;

	for (int y = 0; y < h; y++) {
		const struct cell *row = &c->cell[y * c->w];
		int at = y * t->shown_w;

		if (memcmp(row, &t->shown[at], (size_t)w * sizeof *row) == 0)
			continue;
		for (int x = 0; x < w; x++, at++) {
			/* Most of a changed row did not change either. */
			if (x + BLOCK <= w &&
			    memcmp(&row[x], &t->shown[at],
				   BLOCK * sizeof *row) == 0) {
				x += BLOCK - 1;
				at += BLOCK - 1;
				continue;
			}
			if (memcmp(&row[x], &t->shown[at], sizeof *row) == 0)
				continue;
			bool same = shows_same(t, theme, &row[x], at);
			int look = term_look(t, theme, &row[x]);

			t->shown[at] = row[x];
			t->look_at[at] = (uint8_t)look;
			if (!same)
				t->change[n++] = (struct tty_change){
					.y = (int16_t)y,
					.x = (int16_t)x,
					.look = (int16_t)look
				};
		}
	}
	return n;
}
