/* What lists and pages over the screen have in common. */
#include "ui/panels/panel.h"

void
panel_box(struct canvas *c, const char *title, const char *note)
{
	canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h }, title,
		   note);
}

struct rect
panel_overlay(struct canvas *c, int w, int h, const char *title,
	      const char *note)
{
	struct rect r = { 0, 0, w < c->w ? w : c->w, h < c->h ? h : c->h };

	r.x = (c->w - r.w) / 2;
	r.y = (c->h - r.h) / 2;
	canvas_window(c, r);
	canvas_fill(c, (struct rect){ 0, 0, r.w, r.h }, ROLE_TEXT, " ");
	canvas_box(c, (struct rect){ 0, 0, r.w, r.h }, title, note);
	return r;
}

void
panel_part(const struct list_part *p, struct buf *b)
{
	int last = p->top + p->rows < p->n ? p->top + p->rows : p->n;

	if (p->rows < 1 || p->n <= p->rows)
		return;
	buf_printf(b, "%u-%u of %u", (unsigned)p->top + 1, (unsigned)last,
		   (unsigned)p->n);
}

void
panel_list_note(const struct list_part *p, const char *title, const char *note,
		int w, struct buf *b)
{
	enum { GAP = 3, AROUND = 11 }; /* of a box with a title and a note */
	int taken = canvas_width(title) + canvas_width(note) + AROUND;

	panel_part(p, b);
	if (b->len > 0 && taken + GAP + (int)b->len > w)
		return;
	if (b->len > 0 && note[0] != 0)
		buf_str(b, "   ");
	buf_str(b, note);
}

/* Where it is as wide as the screen no foot of a panel stays below it. */
static void
close_below(struct canvas *c, const struct view *v, struct rect r)
{
	int below = r.y + r.h, keys = v->lay.panel[PANEL_KEYS].y;

	if (r.w < c->w || keys <= below)
		return;
	canvas_window(c, (struct rect){ 0, below, c->w, keys - below });
	canvas_fill(c, (struct rect){ 0, 0, c->w, keys - below }, ROLE_TEXT,
		    " ");
	canvas_window(c, r);
}

void
panel_list(struct canvas *c, const struct view *v, const struct panel_list *l)
{
	enum { LIST_W = 84, NARROW_W = 48 };
	/* The last line has the keys. */
	int n = l->n, h = n + 2 < c->h - 2 ? n + 2 : c->h - 2, rows = h - 2;
	int w = LIST_W < c->w ? LIST_W : c->w, top = 0;
	bool brief = w < NARROW_W && n > rows;
	const char *title = brief ? l->brief : l->title;
	char text[96];
	struct buf b = buf_over(text, sizeof text);

	*l->at = *l->at >= n ? n - 1 : *l->at < 0 ? 0 : *l->at;
	if (*l->at >= rows)
		top = *l->at - rows + 1;
	panel_list_note(&(struct list_part){ top, rows, n }, title, l->note, w,
			&b);
	struct rect r = panel_overlay(c, LIST_W, h, title, buf_cstr(&b));

	if (l->closes_below)
		close_below(c, v, r);
	for (int i = 0; i < rows && top + i < n; i++) {
		bool here = top + i == *l->at;

		if (here)
			canvas_put(c, 1, 1 + i, ROLE_KEY,
				   c->glyphs == CANVAS_ASCII ? ">" : "▸");
		l->draw(c, v, 1 + i, top + i);
		if (here)
			canvas_shade(c, (struct rect){ 1, 1 + i, r.w - 2, 1 },
				     ROLE_SELECTED);
	}
}

void
panel_cut(struct canvas *c, int x, int y, int w, enum role role, const char *s)
{
	if (canvas_width(s) <= w) {
		canvas_text(c, x, y, role, s);
		return;
	}
	if (w < 3)
		return;
	canvas_textn(c, x, y, w - 2, role, s);
	canvas_text(c, x + w - 2, y, role, "..");
}
