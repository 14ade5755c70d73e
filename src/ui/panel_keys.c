#include "ui/keys.h"
#include "ui/panel.h"

#include <string.h>

static int
key_width(const struct key *k)
{
	return canvas_width(k->keys) + 1 + canvas_width(k->name) + 2;
}

/* Highest rank whose keys all fit; quit (rank 0) always does. */
static int
rank_that_fits(int w)
{
	int rank = 0;

	for (int r = 0; r < 20; r++) {
		int need = 1;

		for (unsigned i = 0; i < key_count; i++)
			if (key_table[i].name != NULL && key_table[i].rank <= r)
				need += key_width(&key_table[i]);
		if (need > w + 2)
			break;
		rank = r;
	}
	return rank;
}

static int
draw_key(struct canvas *c, int x, const struct key *k)
{
	x += canvas_text(c, x, 0, ROLE_STRONG, k->keys) + 1;
	return x + canvas_text(c, x, 0, ROLE_BAR_DIM, k->name) + 2;
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
		if (w - x > 50)
			canvas_text(c, x + 2, 0, ROLE_BAR_DIM,
				    "P0, E or a cpu number; Enter keeps, Esc "
				    "clears");
		return;
	}
	canvas_textn(c, x, 0, w - 10, ROLE_WARN, v->message);
	draw_key(c, w - 7, quit);
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
	int rank = rank_that_fits(w - x);

	for (unsigned i = 0; i < key_count; i++)
		if (key_table[i].name != NULL && key_table[i].rank <= rank)
			x = draw_key(c, x, &key_table[i]);
}
