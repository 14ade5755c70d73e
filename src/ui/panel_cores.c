#include "ui/panel.h"
#include "ui/value.h"

static const char *
note(const struct view *v, int rows, char *text, unsigned size)
{
	struct buf b = buf_over(text, size);
	unsigned last = v->top + (unsigned)rows;

	buf_str(&b, v->s->catalog != NULL || v->sort != SORT_CPU ? "s sort: "
								 : "s sort: ");
	buf_str(&b, view_sort_label(v));
	if (v->reverse)
		buf_str(&b, ", reversed");
	buf_str(&b, "   / filter");
	if (v->filter[0] != 0) {
		buf_str(&b, ": ");
		buf_str(&b, v->filter);
	}
	buf_str(&b, "   ");
	buf_u64(&b, v->norder > 0 ? v->top + 1 : 0);
	buf_char(&b, '-');
	buf_u64(&b, last < v->norder ? last : v->norder);
	buf_str(&b, " of ");
	buf_u64(&b, v->norder);
	return buf_cstr(&b);
}

static void
draw_core(struct canvas *c, const struct view *v, int x, int y, unsigned cpu)
{
	const struct topology *t = v->f->topology;
	enum role role = view_cluster_role(t, t->cpu[cpu].cluster);
	char id[24];
	struct buf b = buf_over(id, sizeof id);

	buf_i64(&b, t->cpu[cpu].id);
	canvas_right(c, x, y, v->lay.table.id_w, ROLE_TEXT, buf_cstr(&b));
	canvas_text(c, x + v->lay.table.id_w + 1, y, role,
		    t->cluster[t->cpu[cpu].cluster].label);
	panel_row(c, v, x, y, cpu, role);
}

void
panel_cores_draw(struct canvas *c, const struct view *v)
{
	bool framed = layout_framed(&v->lay, PANEL_CORES);
	int x = framed ? 2 : 1, y = framed ? 1 : 0;
	int rows = layout_rows(&v->lay, PANEL_CORES);
	char text[96];

	note(v, rows, text, sizeof text);
	if (framed)
		canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h },
			   v->f->topology->smt ? "cores, per thread" : "cores",
			   text);
	panel_titles(c, v, x, y, v->lay.core_titles > 1);
	y += v->lay.core_titles;
	if (!framed)
		canvas_text(c, x, y - 1, ROLE_DIM,
			    v->norder > (unsigned)rows ? "cpu.." : "cpu");
	if (v->norder == 0)
		canvas_text(
			c, x + 3, y, ROLE_DIM,
			"no core matches the filter; / and Enter clears it");
	for (int i = 0; i < rows && v->top + (unsigned)i < v->norder; i++) {
		unsigned row = v->top + (unsigned)i;

		draw_core(c, v, x, y + i, v->order[row]);
		if (v->cursor_on && row == v->cursor)
			canvas_shade(c,
				     (struct rect){ x - 1, y + i,
						    c->window.w - 2 * x + 2,
						    1 },
				     ROLE_SELECTED);
	}
}
