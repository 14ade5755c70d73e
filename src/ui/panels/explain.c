#include "ui/panels/panel.h"
#include "ui/view/value.h"

/* The question of the set in force, then what each column says. */
static void
panel_explain_draw(struct canvas *c, const struct view *v)
{
	const struct layout_table *t = &v->lay.table;
	int w = c->window.w, below = c->window.h - 1, y = 1;
	const char *title = "columns";

	if (v->s->preset >= 0 && v->s->mode == UI_MODE_FULL) {
		title = view_preset(v, v->s->preset)->name;
		y += canvas_wrap(c, (struct rect){ 2, y, w - 4, below - y },
				 ROLE_STRONG,
				 view_preset(v, v->s->preset)->text);
	}
	for (unsigned i = 0; i < t->ncols; i++) {
		int metric = t->col[i].metric;
		struct rect r = { 11, y, w - 13, below - y };

		if (metric == COLUMN_BUSY)
			continue;
		char text[VALUE_SAYS_SIZE];
		const char *says = value_says(view_metric(v, metric), text);
		int need = canvas_wrap(c, (struct rect){ r.x, y, r.w, 0 },
				       ROLE_DIM, says);

		if (y + need > below)
			break;
		canvas_text(c, 2, y, ROLE_TEXT, view_label(v, metric));
		y += canvas_wrap(c, r, ROLE_DIM, says);
	}
	canvas_box(c, (struct rect){ 0, 0, w, c->window.h }, title,
		   "? explains all");
}

const struct panel panel_explain = {
	.place = PANEL_EXPLAIN,
	.draw = panel_explain_draw,
	.needs_frame = true,
};
