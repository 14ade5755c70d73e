#include "ui/picture.h"

#include "ui/panels/panel.h"

#include <stddef.h>

struct panel {
	enum panel_id place;
	bool needs_frame;
	/* The canvas's window is the rectangle of the panel. */
	void (*draw)(struct canvas *c, const struct view *v);
	/* Requested rows at width w; NULL: the layout decides. */
	int (*rows)(const struct view *v, int w);
};

/* clang-format off */
#define PANEL_ROW(name, place, frame) { place, frame, panel_##name##_draw, NULL },
#define PANEL_WANTS(name, place, frame) { place, frame, panel_##name##_draw, panel_##name##_rows },
static const struct panel panel_table[] = { PANELS(PANEL_ROW, PANEL_WANTS) { 0 } };

#define OVERLAY_ROW(constant, name, place) [constant] = panel_##name##_draw,
static void (*const over_table[])(struct canvas *c, struct view *v) = { OVERLAYS(OVERLAY_ROW) };
/* clang-format on */

static void
picture_draw_too_small(struct canvas *c)
{
	char text[64];
	struct buf b = buf_over(text, sizeof text);

	buf_printf(&b, "ktop: %dx%d is too small (need %dx%d)", c->w, c->h,
		   LAYOUT_MIN_W, LAYOUT_MIN_H);
	canvas_wrap(c, (struct rect){ 0, 0, c->w, c->h }, ROLE_TEXT,
		    buf_cstr(&b));
}

static void
picture_draw_waiting(struct canvas *c)
{
	static const char text[] = "waiting for the second reading ...";
	int w = canvas_width(text);

	canvas_window(c, (struct rect){ 0, 0, c->w, c->h });
	if (c->h >= 6)
		canvas_text(c, c->w > w ? (c->w - w) / 2 : 0, c->h / 2,
			    ROLE_DIM, text);
}

/* Place of panel i; panels of PANEL_BELOW get consecutive places. */
static unsigned
panel_place(unsigned i)
{
	unsigned place = panel_table[i].place;

	for (unsigned k = 0; panel_table[i].place == PANEL_BELOW && k < i; k++)
		place += panel_table[k].place == PANEL_BELOW;
	return place;
}

bool
picture_arrange(struct view *v, const struct frame *f,
		const struct ui_status *s, int w, int h, struct err *e)
{
	int rows[PANEL_PLACES] = { 0 };

	view_use_frame(v, f, s);
	for (unsigned i = 0; panel_table[i].draw != NULL; i++) {
		const struct panel *p = &panel_table[i];

		if (p->rows != NULL && (f != NULL || !p->needs_frame))
			rows[panel_place(i)] = p->rows(v, w);
	}
	return view_arrange(v, rows, w, h, e);
}

static void
picture_keep_hits(struct view_hits *h, int y)
{
	unsigned n = 0;

	for (unsigned i = 0; i < h->n; i++)
		if (h->at[i].y == y)
			h->at[n++] = h->at[i];
	h->n = n;
}

static void
picture_draw_panels(struct view *v, struct canvas *c)
{
	canvas_clear(c);
	v->hits->n = 0;
	if (v->lay.too_small) {
		picture_draw_too_small(c);
		return;
	}
	for (unsigned i = 0; panel_table[i].draw != NULL; i++) {
		const struct panel *p = &panel_table[i];
		struct rect r = v->lay.panel[panel_place(i)];

		if (r.w <= 0 || (p->needs_frame && v->f == NULL))
			continue;
		canvas_window(c, r);
		p->draw(c, v);
	}
	if (v->f == NULL)
		picture_draw_waiting(c);
	if (v->over.which != OVERLAY_NONE) {
		picture_keep_hits(v->hits, c->h - 1);
		over_table[v->over.which](c, v);
	}
	if (v->line.message != NULL && !v->line.typing)
		panel_message_draw(c, v);
}

void
picture_draw(struct view *v, struct canvas *c)
{
	picture_draw_panels(v, c);
	canvas_mend(c);
}
