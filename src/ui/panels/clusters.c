#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

static bool
has_unread_cpus(const struct view *v, unsigned scope)
{
	const struct topology *t = v->f->topology;

	for (unsigned i = 0; i < t->ncpus; i++) {
		const struct span *one = &v->f->span[i];

		if (frame_scope_cluster(v->f, t->cpu[i].cluster) == scope &&
		    one->n_ok == 0 && (one->quality & QUALITY_OFF) == 0)
			return true;
	}
	return false;
}

/* Draws CPUs: "0-3"; "3/4" if one was not read; "4" if numbers have gaps. */
static void
draw_cluster_cpus(struct canvas *c, const struct view *v, int x, int y,
		  unsigned scope)
{
	const struct scope *s = &v->f->scope[scope];
	unsigned came = v->f->span[scope].n_ok;
	char text[24];
	struct buf b = buf_over(text, sizeof text);

	bool missing = came != s->ncpus && v->metric.main != COLUMN_BUSY;

	if (missing)
		buf_printf(&b, "%u/%u", came, s->ncpus);
	else if (view_cluster_numbers(v->f->topology, s->index, &b) == 0)
		buf_printf(&b, "%u", s->ncpus);
	canvas_text(c, x, y,
		    missing && has_unread_cpus(v, scope) ? ROLE_WARN : ROLE_DIM,
		    buf_cstr(&b));
}

/* Draws a value as a level in one cell, in ASCII a digit (busy%: tens). */
static void
draw_level(struct canvas *c, const struct view *v, int x, int y, double value)
{
	bool busy = v->metric.main == COLUMN_BUSY;
	double share = value / (busy ? 100 : v->metric.ipc_max);
	double number = busy ? value / 10 : value;
	long step = lround(share * (busy ? 1 : 1.5) * (ROLE_STEPS - 1));
	unsigned heat = step < 0             ? 0
			: step >= ROLE_STEPS ? ROLE_STEPS - 1
					     : (unsigned)step;
	char digit[2] = { (char)('0' + (number > 9 ? 9 : (int)number)), 0 };

	if (c->glyphs == CANVAS_ASCII)
		canvas_step(c, x, y, ROLE_HEAT, heat, digit);
	else
		canvas_level(c, x, y, share, ROLE_HEAT, heat);
}

/* Draws each core's main metric: a number if all clusters fit, else a level. */
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
		double ipc = view_value(v, i, v->metric.main);
		struct value_shown shown;

		if (t->cpu[i].cluster != cluster)
			continue;
		value_show_main(v, i, &shown);
		if (isnan(ipc)) {
			canvas_text(c, x + at + wide, y, ROLE_DIM,
				    strcmp(shown.text, "idle") == 0 ? "·"
								    : "-");
		} else if (!wide) {
			draw_level(c, v, x + at, y, ipc);
		} else {
			value_number(ipc, v->metric.main == v->metric.ipc, 3,
				     shown.text);
			canvas_textn(c, x + at, y, 3, ROLE_TEXT, shown.text);
		}
		at += wide ? LAYOUT_CELL_W : 1;
	}
}

static double
ipc_quantile(const struct view *v, double share)
{
	unsigned n = v->f->topology->nclusters, known = 0;
	const double *value =
		v->f->value +
		(size_t)frame_scope_cluster(v->f, 0) * v->f->nmetrics +
		(unsigned)v->metric.ipc;
	size_t step = v->f->nmetrics;
	double found = NAN;

	for (unsigned i = 0; i < n; i++)
		known += isnan(value[i * step]) ? 0 : 1;
	for (unsigned i = 0; i < n; i++) {
		double x = value[i * step];
		unsigned below = 0;

		if (isnan(x) || x >= found)
			continue;
		for (unsigned k = 0; k < n; k++)
			below += value[k * step] <= x;
		if (below >= share * known)
			found = x;
	}
	return found;
}

static void
put_ipc_spread(const struct view *v, struct buf *b)
{
	char text[3][VALUE_TEXT_SIZE];

	for (unsigned i = 0; i < 3; i++)
		value_number(ipc_quantile(v, i * 0.5), 2, 5, text[i]);
	buf_printf(b, "   IPC min %s, median %s, max %s", text[0], text[1],
		   text[2]);
}

static const char *
clusters_title_note(const struct view *v, int rows, char *text, unsigned size)
{
	unsigned n = v->f->topology->nclusters, last;
	struct buf b = buf_over(text, size);

	if ((int)n <= rows)
		return v->metric.main == COLUMN_BUSY ? "mean of its CPUs" : "";
	last = view_line(v, (unsigned)rows);
	buf_str(&b, "s sort: ");
	view_column_label(v, v->list.sort, &b);
	buf_printf(&b, "   %u-%u of %u", v->list.top + 1,
		   last < v->cores.norder ? last : v->cores.norder,
		   v->cores.norder);
	if (v->metric.main == v->metric.ipc)
		put_ipc_spread(v, &b);
	return buf_cstr(&b);
}

static void
draw_cluster_titles(struct canvas *c, const struct view *v, int x, int y,
		    int heads_end, bool sorted, int power)
{
	bool framed = layout_framed(&v->lay, PANEL_CLUSTERS);
	int rows = layout_rows(&v->lay, PANEL_CLUSTERS);
	bool heads = v->lay.cluster_heads;
	int at = y + heads;

	if (framed)
		heads_draw(c, v, x, 0, heads_end);
	else if (heads)
		heads_rule(c, v, x, y);
	panel_titles_draw(c, v, x, at, sorted, power);
	if (v->lay.cluster_titles > 1 + heads)
		panel_ages_draw(c, v, x, at + 1);
	if (power > 0)
		power_columns_titles(c, v, x, at, framed ? 0 : heads ? y : -1);
	if (!framed && rows < (int)v->f->topology->nclusters)
		canvas_textn(c, x, at, v->lay.table.bottleneck_x, ROLE_DIM,
			     PRINTED("%u/%u", view_line(v, (unsigned)rows),
				     v->cores.norder));
	else
		canvas_textn(c, x, at, v->lay.table.bottleneck_x, ROLE_DIM,
			     "cpus");
	canvas_text(c, x + v->lay.table.cells_x, at, ROLE_DIM,
		    v->lay.table.cells_w > 16  ? v->metric.main == v->metric.ipc
							 ? "IPC of each core"
							 : "busy% of each"
		    : v->lay.table.cells_w > 8 ? "of cores"
		    : v->lay.table.cells_w > 4 ? "cores"
					       : "");
}

void
panel_clusters_draw(struct canvas *c, const struct view *v)
{
	const struct topology *t = v->f->topology;
	bool framed = layout_framed(&v->lay, PANEL_CLUSTERS);
	bool here = v->lay.panel[PANEL_CORES].h == 0;
	struct rect r = { framed ? 2 : 1, framed ? 1 : 0, c->window.w, 0 };
	int rows = layout_rows(&v->lay, PANEL_CLUSTERS), y = r.y;
	int power = power_columns(c, v);
	char text[128];
	const char *note = clusters_title_note(v, rows, text, sizeof text);
	int heads_end =
		c->window.w - 3 - (note[0] != 0 ? canvas_width(note) + 2 : 0);

	if (framed)
		panel_box(c, "clusters", note);
	if (v->lay.cluster_titles > 0)
		draw_cluster_titles(c, v, r.x, y, heads_end,
				    here || cores_have_rule(v), power);
	y += v->lay.cluster_titles;
	if (here && v->cores.norder == 0)
		panel_no_match(c, v, r.x + 3, y, "cluster");
	for (int i = 0; i < rows; i++) {
		unsigned row = here ? view_line(v, (unsigned)i) : (unsigned)i;

		if (row >= (here ? v->cores.norder : t->nclusters))
			break;
		unsigned scope = here ? v->cores.order[row]
				      : frame_scope_cluster(v->f, row);
		unsigned k = v->f->scope[scope].index;

		if (here && view_pinned(v, scope))
			canvas_text(c, r.x - 1, y + i, ROLE_KEY, "p");
		canvas_text(c, r.x, y + i, view_cluster_role(t, k),
			    t->cluster[k].label);
		if (v->lay.table.n_w > 0)
			draw_cluster_cpus(c, v, r.x + v->lay.table.label_w + 1,
					  y + i, scope);
		panel_row_draw(c, v, r.x, y + i, scope, view_cluster_role(t, k),
			       power);
		if (power > 0)
			power_columns_draw(c, v, r.x, y + i, k);
		if (v->lay.table.cells_w > 0)
			draw_cells(c, v, r.x + v->lay.table.cells_x, y + i, k);
		if (here && v->list.cursor_on && !v->cores.cursor_away &&
		    row == v->list.cursor)
			canvas_shade(c,
				     (struct rect){ r.x - 1, y + i,
						    c->window.w - 2, 1 },
				     ROLE_SELECTED);
	}
	if (!v->lay.all)
		return;
	canvas_text(c, r.x, y + rows, ROLE_STRONG, "all");
	panel_row_draw(c, v, r.x, y + rows, frame_scope_all(v->f), ROLE_TEXT,
		       power);
	if (power > 0)
		power_columns_draw(c, v, r.x, y + rows, v->f->power->nrows - 1);
}
