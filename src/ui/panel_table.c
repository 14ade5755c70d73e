/* What the tables of clusters and of cores have in common. */
#include "ui/panel.h"
#include "ui/spark.h"
#include "ui/value.h"

#include <math.h>
#include <string.h>

/* First of the columns that the slots count; before it all is all modes. */
static unsigned
first_slot_column(const struct view *v)
{
	const struct layout_table *t = &v->lay.table;

	for (unsigned i = 0; i < t->ncols; i++)
		if (t->col[i].metric != COLUMN_BUSY &&
		    view_metric(v, t->col[i].metric)->unit != UNIT_GHZ &&
		    view_metric(v, t->col[i].metric)->unit != UNIT_GIPS)
			return i;
	return t->ncols;
}

/* "now", "3 s", "12 m": since its events were counted. */
static void
age_text(const struct view *v, int metric, struct buf *b)
{
	double age = view_age(v, metric);

	if (!(age > 0)) {
		buf_str(b, isnan(age) ? "" : "now");
	} else if (age < 99.5) {
		buf_fixed(b, age, age < 9.95 && v->period_s < 1 ? 1 : 0);
		buf_char(b, 's');
	} else {
		buf_fixed(b, age / 60, 0);
		buf_char(b, 'm');
	}
	buf_cstr(b);
}

static bool
any_aged(const struct view *v)
{
	const struct layout_table *t = &v->lay.table;

	for (unsigned i = 0; i < t->ncols; i++)
		if (view_age(v, t->col[i].metric) > 0)
			return true;
	return false;
}

/* In a rotation: how old each column is. */
static void
draw_ages(struct canvas *c, const struct view *v, unsigned first, int x, int y)
{
	const struct layout_table *t = &v->lay.table;

	for (unsigned i = first; i < t->ncols; i++) {
		char text[16];
		struct buf b = buf_over(text, sizeof text);

		age_text(v, t->col[i].metric, &b);
		canvas_right(c, x + t->col[i].x + 1, y, t->col[i].w - 1,
			     view_age(v, t->col[i].metric) > 0 ? ROLE_WARN
							       : ROLE_DIM,
			     text);
	}
}

static void
draw_groups(struct canvas *c, const struct view *v, int x, int y)
{
	static const char *const domain[] = {
		[DOMAIN_NONE] = "not counted",
		[DOMAIN_ALL] = "all modes",
		[DOMAIN_USER] = "user mode",
		[DOMAIN_KERNEL] = "kernel mode",
		[DOMAIN_MIXED] = "modes differ",
	};
	const struct layout_table *t = &v->lay.table;
	unsigned first = first_slot_column(v);
	bool mpki = false;
	char text[48];
	struct buf b = buf_over(text, sizeof text);

	for (unsigned i = first; i < t->ncols; i++)
		mpki |= view_metric(v, t->col[i].metric)->unit == UNIT_MPKI;
	int split = first < t->ncols ? t->col[first].x : t->end_x;

	canvas_group(c, x + t->ipc_x, y, split - t->ipc_x, "all modes");
	if (first == t->ncols)
		return;
	if (any_aged(v)) {
		draw_ages(c, v, first, x, y);
		return;
	}
	buf_str(&b, domain[v->f->domain]);
	if (mpki && t->end_x - split >= 32)
		buf_str(&b, ", per 1000 instr");
	canvas_group(c, x + split + 2, y, t->end_x - split - 2, buf_cstr(&b));
}

/* Bars are IPC, or, where there is none, the busy share. */
static double
bar_max(const struct view *v)
{
	return v->s->mode == UI_MODE_BUSY ? 100 : v->ipc_max;
}

static void
draw_axis(struct canvas *c, const struct view *v, int x, int y)
{
	const struct layout_table *t = &v->lay.table;
	bool busy = v->s->mode == UI_MODE_BUSY;
	int step = busy ? 50 : 2, last = -2;

	/* The heading IPC stands beside it, and these are not. */
	if (busy)
		last = canvas_text(c, x + t->bar_x, y, ROLE_DIM,
				   t->bar_w >= 5 ? "busy%" : "%") -
		       1;
	for (int tick = 0; tick < (int)bar_max(v); tick += step) {
		int at = (int)lround(tick * t->bar_w / bar_max(v));
		char text[8];
		struct buf b = buf_over(text, sizeof text);

		buf_i64(&b, tick);
		if (busy && at < last + 2)
			continue;
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
	const char *label = value_label(v, col->metric);

	if (sorted)
		panel_arrow(v, &b, c->glyphs == CANVAS_ASCII);
	buf_str(&b, label);
	if (col->metric != COLUMN_BUSY && view_metric(v, col->metric)->approx &&
	    strchr(label, '~') == NULL)
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

	if (groups)
		draw_groups(c, v, x, y++);
	if (sorted && v->sort == v->ipc)
		panel_arrow(v, &b, c->glyphs == CANVAS_ASCII);
	buf_str(&b, "IPC");
	canvas_right(c, x + t->ipc_x, y, 5,
		     sorted && v->sort == v->ipc ? ROLE_KEY : ROLE_DIM,
		     buf_cstr(&b));
	if (t->bar_w > 2)
		draw_axis(c, v, x, y);
	for (unsigned i = 0; i < t->ncols; i++)
		draw_title(c, v, &t->col[i], x, y,
			   sorted && v->sort == t->col[i].metric);
	if (t->spark_w > 0 && v->s->mode != UI_MODE_BUSY)
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

	value_show_ipc(v, scope, &shown);
	canvas_right(c, x + t->ipc_x, y, 5, shown.role, shown.text);
	if (letter[0] != ' ')
		canvas_text(c, x + t->ipc_x - 1, y, ROLE_FLAG, letter);
	if (t->bar_w > 0) {
		double share =
			v->s->mode == UI_MODE_BUSY
				? tally->busy_pct
				: frame_value(v->f, scope, (unsigned)v->ipc);

		canvas_bar(c, x + t->bar_x, y, t->bar_w, share / bar_max(v),
			   role, busy_step(tally->busy_pct));
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
