#include "ui/panel.h"
#include "ui/value.h"

#include <math.h>

/* "4/4": CPUs that delivered, of how many. */
static void
draw_count(struct canvas *c, const struct view *v, int x, int y, unsigned scope)
{
	const struct tally *t = &v->f->tally[scope];
	unsigned n = v->f->scope[scope].ncpus;
	char text[24];
	struct buf b = buf_over(text, sizeof text);

	if (v->lay.boxed || t->n_ok != n) {
		buf_u64(&b, t->n_ok);
		buf_char(&b, '/');
	}
	buf_u64(&b, n);
	canvas_text(c, x, y, t->n_ok == n ? ROLE_DIM : ROLE_WARN, buf_cstr(&b));
}

/* One core in one cell: its IPC as a level, in ASCII as a digit. */
static void
draw_level(struct canvas *c, const struct view *v, int x, int y, double ipc)
{
	long step = lround(ipc / v->ipc_max * 1.5 * (ROLE_STEPS - 1));
	unsigned heat = step < 0             ? 0
			: step >= ROLE_STEPS ? ROLE_STEPS - 1
					     : (unsigned)step;
	char digit[2] = { (char)('0' + (ipc > 9 ? 9 : (int)ipc)), 0 };

	if (c->glyphs == CANVAS_ASCII)
		canvas_step(c, x, y, ROLE_HEAT, heat, digit);
	else
		canvas_level(c, x, y, ipc / v->ipc_max, ROLE_HEAT, heat);
}

/* A cluster's cores: the IPC of each where four cells fit, else a level. */
static void
draw_cells(struct canvas *c, const struct view *v, int x, int y,
	   unsigned cluster)
{
	const struct topology *t = v->f->topology;
	int room = v->lay.table.cells_w, at = 0;
	bool wide = true;

	for (unsigned i = 0; i < t->nclusters; i++)
		wide &= (int)t->cluster[i].ncpus * LAYOUT_CELL_W <= room;

	for (unsigned i = 0; i < t->ncpus && at < room; i++) {
		double ipc = frame_value(v->f, i, (unsigned)v->ipc);
		struct value_shown shown;

		if (t->cpu[i].cluster != cluster)
			continue;
		value_show_ipc(v, i, &shown);
		if (!isnan(ipc) && !wide)
			draw_level(c, v, x + at, y, ipc);
		else if (!wide)
			canvas_put(c, x + at, y, ROLE_DIM,
				   shown.text[0] == 'i' ? "·" : "-");
		else if (isnan(ipc))
			canvas_text(c, x + at, y, ROLE_DIM,
				    shown.text[0] == 'i'   ? " · "
				    : shown.text[0] == 's' ? "stl"
							   : shown.text);
		else {
			value_number(ipc, 1, 3, shown.text);
			canvas_textn(c, x + at, y, 3, ROLE_TEXT, shown.text);
		}
		at += wide ? LAYOUT_CELL_W : 1;
	}
}

void
panel_clusters_draw(struct canvas *c, const struct view *v)
{
	const struct topology *t = v->f->topology;
	bool framed = layout_framed(&v->lay, PANEL_CLUSTERS);
	bool here = v->lay.panel[PANEL_CORES].h == 0;
	struct rect r = { framed ? 2 : 1, framed ? 1 : 0, c->window.w, 0 };
	int rows = layout_rows(&v->lay, PANEL_CLUSTERS), y = r.y;
	unsigned top = here ? v->top : 0;

	if (framed)
		canvas_box(c, (struct rect){ 0, 0, c->window.w, c->window.h },
			   "clusters", "Σ instructions / Σ cycles");
	if (v->lay.cluster_titles > 0) {
		panel_titles(c, v, r.x, y, v->lay.cluster_titles > 1);
		y += v->lay.cluster_titles;
		if (v->lay.table.cells_w > 16)
			canvas_text(c, r.x + v->lay.table.cells_x, y - 1,
				    ROLE_DIM, "IPC of each core");
	}
	for (int i = 0; i < rows && top + (unsigned)i < t->nclusters; i++) {
		unsigned k = top + (unsigned)i,
			 scope = frame_scope_cluster(v->f, k);

		canvas_text(c, r.x, y + i, view_cluster_role(t, k),
			    t->cluster[k].label);
		if (v->lay.table.n_w > 0)
			draw_count(c, v, r.x + v->lay.table.label_w + 1, y + i,
				   scope);
		panel_row(c, v, r.x, y + i, scope, view_cluster_role(t, k));
		if (v->lay.table.cells_w > 0)
			draw_cells(c, v, r.x + v->lay.table.cells_x, y + i, k);
		if (here && v->cursor_on && k == v->cursor)
			canvas_shade(c,
				     (struct rect){ r.x - 1, y + i,
						    c->window.w - 2, 1 },
				     ROLE_SELECTED);
	}
}
