/* What the tables of clusters and of cores have in common. */
#include "ui/panels/heads.h"
#include "ui/panels/panel.h"
#include "ui/panels/spark.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

static double
bar_max(const struct view *v)
{
	return v->main == COLUMN_BUSY ? 100 : v->ipc_max;
}

static void
draw_axis(struct canvas *c, const struct view *v, int x, int y)
{
	const struct layout_table *t = &v->lay.table;
	int step = v->main == COLUMN_BUSY ? 50 : 2, last = -2;

	for (int tick = 0; tick < (int)bar_max(v); tick += step) {
		int at = (int)lround(tick * t->bar_w / bar_max(v));
		char text[8];
		struct buf b = buf_over(text, sizeof text);

		buf_i64(&b, tick);
		if (at < last + 2 || at + (int)b.len > t->bar_w)
			break;
		canvas_text(c, x + t->bar_x + at, y, ROLE_DIM, buf_cstr(&b));
		last = at;
	}
}

/* Which way the order goes: down from the most, or up from the least. */
void
panel_arrow(const struct view *v, struct buf *b, bool ascii)
{
	bool up = (v->sort == SORT_CPU) != v->reverse;

	buf_str(b, ascii ? (up ? "^" : "v") : up ? "↑" : "↓");
}

static void
draw_title(struct canvas *c, const struct view *v,
	   const struct layout_column *col, int x, int y, bool sorted)
{
	char text[24];
	struct buf b = buf_over(text, sizeof text);
	const char *label = view_label(v, col->metric);

	if (sorted)
		panel_arrow(v, &b, c->glyphs == CANVAS_ASCII);
	buf_str(&b, label);
	if (view_metric(v, col->metric)->approx && strchr(label, '~') == NULL)
		buf_char(&b, '~');
	/* The arrow may take the gap before the column. */
	canvas_right(c, x + col->x, y, col->w, sorted ? ROLE_KEY : ROLE_DIM,
		     buf_cstr(&b));
}

static void
draw_spark_title(struct canvas *c, const struct view *v, int x, int y)
{
	const struct layout_table *t = &v->lay.table;
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	spark_title(v, t->spark_w, &b);
	canvas_textn(c, x + t->spark_x, y, t->spark_w, ROLE_DIM, buf_cstr(&b));
}

void
panel_titles(struct canvas *c, const struct view *v, int x, int y, bool groups,
	     bool sorted)
{
	const struct layout_table *t = &v->lay.table;
	char text[16];
	struct buf b = buf_over(text, sizeof text);
	bool sorted_main;

	if (groups)
		heads_draw(c, v, x, y++);
	sorted_main = sorted && v->sort == v->main;
	if (sorted_main)
		panel_arrow(v, &b, c->glyphs == CANVAS_ASCII);
	buf_str(&b, view_label(v, v->main));
	/* The arrow may take the gap before it, as that of a column. */
	canvas_right(c, x + t->ipc_x - 1, y, 6,
		     sorted_main ? ROLE_KEY : ROLE_DIM, buf_cstr(&b));
	if (t->bar_w > 2)
		draw_axis(c, v, x, y);
	for (unsigned i = 0; i < t->ncols; i++)
		draw_title(c, v, &t->col[i], x, y,
			   sorted && v->sort == t->col[i].metric);
	if (t->spark_w > 0)
		draw_spark_title(c, v, x, y);
}

/*
 * Bars of cores that do next to nothing are pale. Two shades only, since a bar
 * that changes its shade is sent whole.
 */
static unsigned
busy_step(double busy_pct)
{
	enum { PALE = 5 };

	return busy_pct < 10 ? PALE : ROLE_STEPS - 1;
}

/* What another set counted: its last value, dim; the title has its age. */
static void
show_aged(const struct view *v, unsigned scope, int metric, int w,
	  struct value_shown *out)
{
	double age, last;

	if (metric == COLUMN_BUSY || v->past.self == NULL ||
	    frame_state(v->f, scope, (unsigned)metric) != VALUE_NOT_COUNTED ||
	    frame_state(v->f, scope, (unsigned)v->ipc) > VALUE_FEW)
		return;
	last = v->past.last(v->past.self, scope, (unsigned)metric, &age);
	value_number(last, view_metric(v, metric)->decimals,
		     value_width(view_metric(v, metric), w), out->text);
	out->role = ROLE_DIM;
}

void
panel_row(struct canvas *c, const struct view *v, int x, int y, unsigned scope,
	  enum role role)
{
	const struct layout_table *t = &v->lay.table;
	const struct tally *tally = &v->f->tally[scope];
	/* Sets that take turns are swapped all the time: the head says so. */
	uint32_t expected = v->s->rotating ? QUALITY_SWAP : 0;
	char letter[2] = { value_letter(tally->quality & ~expected), 0 };
	struct value_shown shown;

	value_show_main(v, scope, &shown);
	canvas_right(c, x + t->ipc_x, y, 5, shown.role, shown.text);
	if (letter[0] != ' ')
		canvas_text(c, x + t->ipc_x - 1, y, ROLE_FLAG, letter);
	if (t->bar_w > 0) {
		canvas_bar(c, x + t->bar_x, y, t->bar_w,
			   view_value(v, scope, v->main) / bar_max(v), role,
			   busy_step(tally->busy_pct));
	}
	for (unsigned i = 0; i < t->ncols; i++) {
		const struct layout_column *col = &t->col[i];

		value_show(v, scope, col->metric, col->w - 1, &shown);
		show_aged(v, scope, col->metric, col->w - 1, &shown);
		canvas_right(c, x + col->x + 1, y, col->w - 1, shown.role,
			     shown.text);
	}
	if (t->spark_w > 0) {
		unsigned n = spark_values(v, scope, t->spark_w);

		canvas_spark(c, x + t->spark_x, y, t->spark_w, v->scratch, n,
			     view_spark_max(v, scope), role);
	}
}
