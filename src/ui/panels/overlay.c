/* What lists and pages over the screen have in common. */
#include "ui/panels/panel.h"

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
