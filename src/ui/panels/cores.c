#include "base/plural.h"
#include "base/top.h"
#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

static const char *
cores_title_note(const struct view *v, int rows, int w, bool ascii, char *text,
		 unsigned size)
{
	struct buf b = buf_over(text, size);
	unsigned last = view_line_end(v, rows);

	panel_note_order(v, &v->list, ascii, &b);
	if (v->cores.group != GROUP_NONE || w >= 90)
		buf_printf(&b, "   g group: %s",
			   view_group_name[v->cores.group]);
	if (v->list.filter[0] != 0 || w >= 60)
		panel_note_filter(v, &v->list, &b);
	if ((int)v->cores.norder > rows)
		buf_printf(&b, "   %u-%u of %u",
			   v->cores.norder > 0 ? v->list.top + 1 : 0, last,
			   v->cores.norder - v->cores.nfolds);
	else
		buf_printf(&b, "   %u of %u", v->list.nmatch,
			   v->f->topology->ncpus);
	return buf_cstr(&b);
}

static void
draw_core(struct canvas *c, const struct view *v, int x, int y, unsigned cpu)
{
	const struct topology *t = v->f->topology;
	enum role role = view_cluster_role(t, t->cpu[cpu].cluster);

	canvas_right(c, x, y, v->lay.table.id_w, ROLE_TEXT,
		     PRINTED("%d", t->cpu[cpu].id));
	canvas_text(c, x + v->lay.table.id_w + 1, y, role,
		    t->cluster[t->cpu[cpu].cluster].label);
	if (view_pinned(v, cpu))
		canvas_text(c, x - 1, y, ROLE_KEY, "p");
	panel_row_draw(c, v, x, y, cpu, role, 0);
}

static void
draw_die(struct canvas *c, const struct view *v, int x, int y, int die)
{
	const struct topology *t = v->f->topology;
	bool known = die != VIEW_DIE_MASK;
	unsigned n = 0;

	for (unsigned i = 0; i < t->ncpus; i++)
		n += t->cpu[i].die == (known ? die : -1);
	canvas_textn(c, x, y, c->window.w - x - 1, ROLE_STRONG,
		     PRINTED("die %s, %u%s", known ? PRINTED("%d", die) : "-",
			     n,
			     t->smt ? plural(n, " thread", " threads")
				    : plural(n, " core", " cores")));
}

static void
draw_heading(struct canvas *c, const struct view *v, int x, int y,
	     unsigned scope)
{
	const struct topology *t = v->f->topology;
	unsigned k = v->f->scope[scope].index;
	bool cluster = v->f->scope[scope].level == SCOPE_CLUSTER;
	enum role role = cluster ? view_cluster_role(t, k) : view_kind_role(k);
	int room = v->lay.table.bottleneck_x - 1;
	bool whole = cluster || t->kind[k].letter[0] == 0 ||
		     (int)strlen(t->kind[k].name) <= room;
	const char *name = cluster ? t->cluster[k].label
			   : whole ? t->kind[k].name
				   : t->kind[k].letter;
	const char *text = PRINTED("%s %u/%u", name, v->f->span[scope].n_ok,
				   v->f->scope[scope].ncpus);

	canvas_textn(c, x, y, room, role,
		     (int)strlen(text) > room ? name : text);
	panel_row_draw(c, v, x, y, scope, role, 0);
}

static void
put_numbers(const struct view *v, const unsigned *cpu, unsigned n, int room,
	    struct buf *b)
{
	const struct topology *t = v->f->topology;
	char text[32];

	for (unsigned i = 0, to; i < n; i = to + 1) {
		struct buf part = buf_over(text, sizeof text);

		for (to = i; to + 1 < n &&
			     t->cpu[cpu[to + 1]].id == t->cpu[cpu[to]].id + 1;)
			to++;
		buf_printf(&part, " %d", t->cpu[cpu[i]].id);
		if (to > i) {
			buf_char(&part, to > i + 1 ? '-' : ' ');
			buf_i64(&part, t->cpu[cpu[to]].id);
		}
		if ((int)(b->len + part.len) + (to + 1 < n ? 3 : 0) > room) {
			buf_str(b, " ..");
			return;
		}
		buf_str(b, buf_cstr(&part));
	}
}

static void
draw_fold(struct canvas *c, const struct view *v, int x, int y, unsigned row,
	  bool chosen)
{
	const unsigned *cpu;
	unsigned n = view_folded(v, row, &cpu);
	bool off = (row & ~(unsigned)VIEW_FOLD) == BOTTLENECK_OFF;
	const char *open = chosen ? "Enter lists them" : "";
	int room = c->window.w - 2 * x;
	char text[CANVAS_MAX_SIDE];
	struct buf b = buf_over(text, sizeof text);

	buf_printf(&b, "%u%s%s", n,
		   v->f->topology->smt ? " more CPUs " : " more cores ",
		   off ? "powered down:" : "idle:");
	put_numbers(v, cpu, n, room - canvas_width(open) - 2, &b);
	canvas_textn(c, x, y, room, ROLE_DIM, buf_cstr(&b));
	if (canvas_width(text) + 2 + canvas_width(open) <= room)
		canvas_right(c, x, y, room, ROLE_KEY, open);
}

static void
draw_rows(struct canvas *c, const struct view *v, int x, int y, int rows)
{
	for (int i = 0; i < rows; i++) {
		unsigned row = view_line(v, (unsigned)i);

		if (row >= v->cores.norder)
			break;
		unsigned scope = v->cores.order[row];
		bool core = scope < v->f->topology->ncpus;
		bool chosen = v->list.cursor_on && !v->cores.cursor_away &&
			      row == v->list.cursor;

		if (view_is_fold(scope))
			draw_fold(c, v, x, y + i, scope, chosen);
		else if (core)
			draw_core(c, v, x, y + i, scope);
		else if ((scope & VIEW_DIE) != 0)
			draw_die(c, v, x, y + i, (int)(scope & VIEW_DIE_MASK));
		else
			draw_heading(c, v, x, y + i, scope);
		if (chosen)
			canvas_shade(c,
				     (struct rect){ x - 1, y + i,
						    c->window.w - 2 * x + 2,
						    1 },
				     ROLE_SELECTED);
	}
}

static void
put_visible_part(const struct view *v, int rows, int w, struct buf *b)
{
	char text[40];
	struct buf part = buf_over(text, sizeof text);
	unsigned last = view_line_end(v, rows);

	buf_printf(&part, "%u-%u", v->list.top + 1, last);
	size_t shown = part.len;

	buf_printf(&part, "/%u", v->cores.norder - v->cores.nfolds);
	if (b->len > 0)
		w--;
	if ((int)part.len > w)
		part.len = shown;
	buf_str(b, (int)part.len <= w ? buf_cstr(&part) : "cpu..");
}

bool
cores_have_rule(const struct view *v)
{
	return v->kind == VIEW_OVERVIEW && !v->lay.boxed &&
	       v->lay.panel[PANEL_CORES].h > 0 && v->lay.cluster_titles > 0;
}

void
panel_cores_draw(struct canvas *c, const struct view *v)
{
	bool framed = layout_framed(&v->lay, PANEL_CORES);
	bool ascii = c->glyphs == CANVAS_ASCII, more;
	int x = framed ? 2 : 1, y = framed ? 1 : 0;
	int rows = layout_rows(&v->lay, PANEL_CORES);
	char text[160], id[24];
	struct buf b = buf_over(id, sizeof id);

	cores_title_note(v, rows, c->window.w, ascii, text, sizeof text);
	if (framed)
		panel_box(c,
			  v->f->topology->smt ? "cores, per thread" : "cores",
			  text);
	bool rule = cores_have_rule(v), heads = v->lay.core_heads;
	int at = y + heads;

	if (rule)
		canvas_fill(c, (struct rect){ 0, y, c->window.w, 1 },
			    ROLE_FRAME, ascii ? "-" : "─");
	else
		panel_titles_draw(c, v, x, at, true, 0);
	if (heads && framed)
		heads_draw(c, v, x, y, c->window.w - 1);
	else if (heads)
		heads_rule(c, v, x, y);
	if (v->lay.core_titles > 1 + heads)
		panel_ages_draw(c, v, x, at + 1);
	y += v->lay.core_titles;
	more = v->cores.norder > (unsigned)rows;
	if (v->list.sort == SORT_NUMBER && (v->list.reverse || framed))
		buf_str(&b, view_sort_arrow(&v->list, ascii));
	bool arrow = b.len > 0;

	if (more && !framed)
		put_visible_part(v, rows, v->lay.table.bottleneck_x, &b);
	else
		buf_str(&b, "cpu");
	if (rule) {
		canvas_put(c, x, at, ROLE_FRAME, " ");
		x++;
	}
	/* A text as wide as its column begins in the gap on the left. */
	if (!framed && !rule &&
	    canvas_width(buf_cstr(&b)) >= v->lay.table.bottleneck_x)
		x--;
	x += canvas_textn(c, x, at, v->lay.table.bottleneck_x,
			  arrow ? ROLE_KEY : ROLE_DIM, buf_cstr(&b));
	if (rule)
		canvas_put(c, x, at, ROLE_FRAME, " ");
	x = framed ? 2 : 1;
	if (v->cores.norder == 0)
		panel_no_match(c, v, x + 3, y, "core");
	draw_rows(c, v, x, y, rows);
}

enum { OUTLIERS = 16 };

static void
find_outliers(const struct view *v, int metric, bool lowest, struct top *out)
{
	for (unsigned i = 0; i < v->f->topology->ncpus; i++) {
		double value = view_value(v, i, metric);

		if (!isnan(value) &&
		    (metric == COLUMN_BUSY ||
		     frame_state(v->f, i, (unsigned)metric) == VALUE_OK))
			top_offer(out, i, lowest ? -value : value);
	}
}

static void
draw_outliers(struct canvas *c, const struct view *v, int y, int metric,
	      bool lowest)
{
	enum { HEAD_W = 15, NUMBER_W = 5 };
	const struct topology *t = v->f->topology;
	const struct metric *m = view_metric(v, metric);
	struct top_row core[OUTLIERS];
	struct top out = { .room = OUTLIERS, .row = core };
	int name_w = 3 + v->lay.table.id_w, x = 1;

	x += canvas_text(c, x, y, ROLE_DIM, lowest ? "lowest " : "most ");
	canvas_text(c, x, y, ROLE_DIM, view_label(v, metric));
	x = HEAD_W;
	find_outliers(v, metric, lowest, &out);
	for (unsigned i = 0; i < out.n; i++) {
		unsigned cpu = core[i].index;
		char number[VALUE_TEXT_SIZE];

		if (x + name_w + 1 + NUMBER_W > c->window.w - 1)
			break;
		value_number(view_value(v, cpu, metric), m->decimals, NUMBER_W,
			     number);
		canvas_text(c, x, y, view_cluster_role(t, t->cpu[cpu].cluster),
			    PRINTED("cpu%d", t->cpu[cpu].id));
		canvas_right(c, x + name_w + 1, y, NUMBER_W, ROLE_TEXT, number);
		x += name_w + 1 + NUMBER_W + 2;
	}
}

/* The first line has the lowest IPC or, without counters, the highest busy%;
 * the others have the highest values of columns where high is bad. */
void
panel_outliers_draw(struct canvas *c, const struct view *v)
{
	int y = 0;

	draw_outliers(c, v, y++, v->metric.main,
		      v->metric.main == v->metric.ipc);
	for (unsigned i = 0; i < v->cols.n && y < c->window.h; i++) {
		int metric = v->cols.column[i].metric;

		if (metric != COLUMN_BUSY &&
		    view_metric(v, metric)->bad > view_metric(v, metric)->good)
			draw_outliers(c, v, y++, metric, false);
	}
}
