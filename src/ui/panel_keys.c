#include "ui/keys.h"
#include "ui/panel.h"

#include <string.h>

static int
key_width(const struct key *k)
{
	return canvas_width(k->keys) + 1 + canvas_width(k->name) + 2;
}

static int
rank_width(int rank)
{
	int need = 0;

	for (unsigned i = 0; i < key_count; i++)
		if (key_table[i].name != NULL && key_table[i].rank == rank)
			need += key_width(&key_table[i]);
	return need;
}

/* Keys of one rank come together or not at all; quit (rank 0) always does. */
static uint32_t
ranks_that_fit(int w)
{
	uint32_t fit = 0;

	w += 2; /* no gap behind the last */
	for (int r = 0; r < 32; r++)
		if (rank_width(r) <= w) {
			fit |= (uint32_t)1 << r;
			w -= rank_width(r);
		}
	return fit;
}

static int
draw_key(struct canvas *c, const struct view *v, int x, const struct key *k)
{
	bool on = k->action == ACTION_VIEW &&
		  key_view(k->code[0]) == (int)v->kind;

	view_hit(v, c, x, 0, key_width(k) - 2, k->code[0]);
	x += canvas_text(c, x, 0, ROLE_STRONG, k->keys) + 1;
	return x + 2 +
	       canvas_text(c, x, 0, on ? ROLE_STRONG : ROLE_BAR_DIM, k->name);
}

/* The longest that fits; what is wrong goes before. */
static void
draw_filter_help(struct canvas *c, const struct view *v, int x)
{
	static const char *const help[] = {
		("P0, E,P1, 4-7, die1, Perf, ipc<1, busy>=50; blanks mean "
		 "and; Enter keeps, Esc clears"),
		"P0, E, 4-7, die1, ipc<1, busy>=50   Enter keeps, Esc clears",
		"P0, 4-7, ipc<1   Enter, Esc",
	};
	const char *wrong = view_filter_wrong(v);

	if (wrong != NULL) {
		canvas_text(c, x, 0, ROLE_WARN, wrong);
		return;
	}
	for (unsigned i = 0; i < sizeof help / sizeof *help; i++)
		if (x + canvas_width(help[i]) < c->window.w) {
			canvas_text(c, x, 0, ROLE_BAR_DIM, help[i]);
			return;
		}
}

/* What is typed, or a message, with "q quit" kept at the right end. */
static void
draw_message(struct canvas *c, const struct view *v)
{
	int w = c->window.w, x = 1;
	const struct key *quit = &key_table[key_count - 1];

	if (v->typing) {
		x += canvas_text(c, x, 0, ROLE_STRONG, "/");
		x += canvas_text(c, x, 0, ROLE_STRONG, v->filter);
		x += canvas_text(c, x, 0, ROLE_STRONG, "_");
		draw_filter_help(c, v, x + 2);
		return;
	}
	canvas_textn(c, x, 0, w - 10, ROLE_WARN, v->message);
	draw_key(c, v, w - 7, quit);
}

void
panel_keys_draw(struct canvas *c, const struct view *v)
{
	int w = c->window.w, x = w >= 40 ? 1 : 0;

	c->under = ROLE_BAR;
	canvas_fill(c, (struct rect){ 0, 0, w, 1 }, ROLE_BAR, " ");
	if (v->typing || v->message != NULL) {
		draw_message(c, v);
		return;
	}
	if (v->s->replay != NULL) {
		panel_replay_draw(c, v);
		return;
	}
	uint32_t ranks = ranks_that_fit(w - x);

	for (unsigned i = 0; i < key_count; i++)
		if (key_table[i].name != NULL &&
		    (ranks >> key_table[i].rank & 1) != 0)
			x = draw_key(c, v, x, &key_table[i]);
}
