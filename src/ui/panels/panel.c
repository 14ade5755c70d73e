#include "ui/panels/panel.h"

#include <stddef.h>

/* A row is the NAME of panel_NAME. */
/* clang-format off */
#define PANELS(row) \
	row(header) \
	row(presets) \
	row(headline) \
	row(notice) \
	row(clusters) \
	row(cores) \
	row(outliers) \
	row(trend) \
	row(chart) \
	row(chart2) \
	row(bottlenecks) \
	row(explain) \
	row(detail) \
	row(events) \
	row(processes) \
	row(process_chart) \
	row(process_kinds) \
	row(busiest) \
	row(legend) \
	row(trust) \
	row(keys)
#define PANEL_IS_THERE(name) extern const struct panel panel_##name;
#define PANEL_ROW(name) &panel_##name,

PANELS(PANEL_IS_THERE)
const struct panel *const panel_table[] = { PANELS(PANEL_ROW) NULL };

#define OVERLAY_ROW(constant, name, place) [constant] = panel_##name##_draw,
static void (*const over_table[])(struct canvas *c, struct view *v) = { OVERLAYS(OVERLAY_ROW) };
/* clang-format on */

void
panel_over_draw(struct canvas *c, struct view *v)
{
	if (v->overlay != OVERLAY_NONE)
		over_table[v->overlay](c, v);
}

/* What lists and pages over the screen have in common. */

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
