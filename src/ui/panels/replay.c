/* The last line of a replay: a timeline of all of it, and where one is. */
#include "ui/panels/panel.h"
#include "ui/view/replay.h"

#include "base/buf.h"

enum { LINE_MIN = 8 };

static void
clock_text(struct buf *b, double s)
{
	/* A minute of frames that were late by a hair is a minute. */
	uint64_t all = s > 0 ? (uint64_t)(s + 0.5) : 0;

	if (all >= 3600) {
		buf_u64(b, all / 3600);
		buf_str(b, all / 60 % 60 < 10 ? ":0" : ":");
	}
	buf_u64(b, all / 60 % 60);
	buf_str(b, all % 60 < 10 ? ":0" : ":");
	buf_u64(b, all % 60);
}

static void
where_text(struct buf *b, const struct ui_replay *r)
{
	clock_text(b, r->time_s);
	buf_char(b, '/');
	clock_text(b, r->length_s);
	buf_str(b, " frame ");
	buf_u64(b, r->at + 1);
	buf_char(b, '/');
	buf_u64(b, r->frames);
	buf_str(b, r->ended ? " end" : r->paused ? " stopped" : " x");
	if (!r->ended && !r->paused)
		buf_decimal(b, r->speed, 3);
}

static int
cell_of(const struct ui_replay *r, uint64_t frame, int w)
{
	if (r->frames < 2)
		return 0;
	return (int)((double)frame / (double)(r->frames - 1) * (w - 1) + 0.5);
}

static void
draw_line(struct canvas *c, const struct ui_replay *r, int x, int w)
{
	int here = cell_of(r, r->at, w);
	char letter[2] = { 0, 0 };

	for (int i = 0; i < w; i++)
		canvas_put(c, x + i, 0, i <= here ? ROLE_BAR : ROLE_BAR_DIM,
			   i <= here ? "=" : "-");
	for (unsigned i = 0; i < r->nmoments; i++) {
		int at = cell_of(r, r->moment[i].frame, w);

		letter[0] = r->moment[i].letter;
		if (at >= 0 && at < w)
			canvas_put(c, x + at, 0, ROLE_WARN, letter);
	}
	canvas_put(c, x + here, 0, ROLE_STRONG, "|");
}

void
panel_replay_draw(struct canvas *c, const struct view *v)
{
	const struct ui_replay *r = v->s->replay;
	int w = c->window.w, x = w >= 40 ? 1 : 0;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	where_text(&b, r);
	x += canvas_textn(c, x, 0, w, ROLE_STRONG, buf_cstr(&b)) + 1;
	if (w - x - 1 >= LINE_MIN)
		draw_line(c, r, x, w - x - 1);
}
