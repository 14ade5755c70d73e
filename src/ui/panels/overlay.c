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
