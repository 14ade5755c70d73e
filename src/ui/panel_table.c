/* What the tables of clusters and of cores have in common. */
#include "ui/panel.h"
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
	int step = v->s->mode == UI_MODE_BUSY ? 50 : 2, last = -2;

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

static void
draw_title(struct canvas *c, const struct view *v,
	   const struct layout_column *col, int x, int y, bool sorted)
{
	char text[24];
	struct buf b = buf_over(text, sizeof text);
	const char *label = value_label(v, col->metric);

	buf_str(&b, label);
	if (col->metric != COLUMN_BUSY && view_metric(v, col->metric)->approx &&
	    strchr(label, '~') == NULL)
		buf_char(&b, '~');
	canvas_right(c, x + col->x + 1, y, col->w - 1,
		     sorted ? ROLE_KEY : ROLE_DIM, buf_cstr(&b));
}

static void
draw_spark_title(struct canvas *c, const struct view *v, int x, int y)
{
	const struct layout_table *t = &v->lay.table;
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "IPC, last ");
	buf_fixed(&b, t->spark_w * (double)v->s->period_ns / 1e9, 0);
	buf_str(&b, " s");
	canvas_textn(c, x + t->spark_x, y, t->spark_w, ROLE_DIM, buf_cstr(&b));
}

void
panel_titles(struct canvas *c, const struct view *v, int x, int y, bool groups)
{
	const struct layout_table *t = &v->lay.table;

	if (groups)
		draw_groups(c, v, x, y++);
	canvas_right(c, x + t->ipc_x, y, 5,
		     v->sort == v->ipc ? ROLE_KEY : ROLE_DIM, "IPC");
	if (t->bar_w > 2)
		draw_axis(c, v, x, y);
	for (unsigned i = 0; i < t->ncols; i++)
		draw_title(c, v, &t->col[i], x, y, v->sort == t->col[i].metric);
	if (t->spark_w > 0 && v->s->mode != UI_MODE_BUSY)
		draw_spark_title(c, v, x, y);
}

/*
 * Of a busy share: bars of idle cores are pale. Five shades, since a bar that
 * changes its shade is sent whole.
 */
static unsigned
busy_step(double busy_pct)
{
	enum { SHADES = 5 };

	if (isnan(busy_pct))
		return ROLE_STEPS - 1;
	long shade = lround(busy_pct / 100 * (SHADES - 1));

	shade = shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
	return (unsigned)(shade * (ROLE_STEPS - 1) / (SHADES - 1));
}

void
panel_row(struct canvas *c, const struct view *v, int x, int y, unsigned scope,
	  enum role role)
{
	const struct layout_table *t = &v->lay.table;
	const struct tally *tally = &v->f->tally[scope];
	char letter[2] = { value_letter(tally), 0 };
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
		canvas_right(c, x + col->x + 1, y, col->w - 1, shown.role,
			     shown.text);
	}
	if (t->spark_w > 0) {
		unsigned n = view_past(v, scope, v->ipc, (unsigned)t->spark_w);

		canvas_spark(c, x + t->spark_x, y, t->spark_w, v->scratch, n,
			     view_spark_max(v, scope), role);
	}
}
