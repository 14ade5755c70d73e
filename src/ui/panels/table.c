#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 2 };

static const char *const unit_words[][WORDS] = {
	[UNIT_RATIO] = { "", "" },
	[UNIT_GHZ] = { "GHz", "GHz" },
	[UNIT_GIPS] = { "10^9 per second", "10^9/s" },
	[UNIT_PCT] = { "%", "%" },
	[UNIT_MPKI] = { "MPKI", "MPKI" },
	[UNIT_PER_MCYCLE] = { "per 10^6 cycles", "/10^6" },
	[UNIT_PER_S] = { "per second", "/s" },
	[UNIT_PER_KLDST] = { "per 1000 ld+st", "/1000" },
};

static const char *const domain_words[] = {
	[DOMAIN_NONE] = "",
	[DOMAIN_ALL] = "",
	[DOMAIN_USER] = "user",
	[DOMAIN_KERNEL] = "kernel",
	[DOMAIN_MIXED] = "mixed modes",
};

const char *
panel_modes(enum domain domain)
{
	return domain == DOMAIN_USER     ? "user mode"
	       : domain == DOMAIN_KERNEL ? "kernel mode"
	       : domain == DOMAIN_MIXED  ? "mixed modes"
					 : "user+kernel";
}

static bool
text_ends_with(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);

	return n > m && strcmp(s + n - m, end) == 0;
}

static bool
labels_name_unit(const struct view *v, const struct head *h)
{
	for (unsigned i = h->first; i < h->first + h->n; i++) {
		const struct metric *m =
			view_metric(v, v->lay.table.col[i].metric);

		if (!(m->unit == UNIT_PCT && text_ends_with(m->label, "%")) &&
		    !(m->unit == UNIT_PER_S && text_ends_with(m->label, "/s")))
			return false;
	}
	return true;
}

static const char *
share_word(const struct view *v, const struct head *h)
{
	bool stalls = true, slots = true;

	for (unsigned i = h->first; i < h->first + h->n; i++) {
		const struct metric *m =
			view_metric(v, v->lay.table.col[i].metric);

		stalls &= strncmp(m->name, "sta", 3) == 0;
		slots &= m->share > 0;
	}
	return stalls ? "stalled %" : slots ? "slots %" : "%";
}

/* False: the text is too wide, and h->text is "". */
static bool
head_put_text(struct head *h, const char *unit, const char *domain)
{
	bool both = domain[0] != 0 && unit[0] != 0;
	bool fits = snprintf(h->text, sizeof h->text, both ? "%s (%s)" : "%s%s",
			     unit, domain) <= h->w;

	if (!fits)
		h->text[0] = 0;
	return fits;
}

static void
head_name_events(const struct view *v, struct head *h)
{
	const char *domain = domain_words[v->f->domain];
	static const char *const none[WORDS] = { "", "" };
	int group = v->lay.table.col[h->first].group;
	const char *const *unit =
		group < 0 || labels_name_unit(v, h) ? none : unit_words[group];
	const char *shares[WORDS] = { share_word(v, h), "%" };

	/* Without fixed counters no other text names the modes. */
	if (v->f->domain == DOMAIN_ALL && v->metric.main == COLUMN_BUSY &&
	    head_put_text(h, "", "user+kernel"))
		return;
	if (unit != none && group == UNIT_PCT)
		unit = shares;
	for (unsigned u = 0; u < WORDS; u++)
		if (head_put_text(h, unit[u], domain))
			return;
	for (unsigned u = 0; u < WORDS; u++)
		if (head_put_text(h, unit[u], ""))
			return;
}

void
heads_make(const struct view *v, struct heads *out)
{
	const struct layout_table *t = &v->lay.table;
	unsigned i = 0;
	struct head *h = out->at;

	*h = (struct head){ .x = t->ipc_x };
	while (i < t->ncols && t->col[i].group == VIEW_COLUMNS_FIXED)
		i++;
	h->n = i;
	h->w = (i < t->ncols ? t->col[i].x : t->end_x) - h->x;
	(void)head_put_text(h, "",
			    v->metric.main == COLUMN_BUSY ? "share of time"
							  : "user+kernel");
	for (out->n = 1; i < t->ncols; out->n++) {
		h = &out->at[out->n];
		*h = (struct head){ .x = t->col[i].x + 1, .first = i };
		for (;
		     i < t->ncols && t->col[i].group == t->col[h->first].group;
		     i++)
			h->n++;
		h->w = t->col[i - 1].x + t->col[i - 1].w - h->x;
		head_name_events(v, h);
	}
}

void
panel_ages_draw(struct canvas *c, const struct view *v, int x, int y)
{
	const struct layout_table *t = &v->lay.table;

	canvas_textn(c, x, y, t->ipc_x, ROLE_DIM, "age");
	for (unsigned i = 0; i < t->ncols; i++) {
		double age = view_age(v, t->col[i].metric);
		int decimals = age < 9.95 && v->when.period_s < 1 ? 1 : 0;

		if (t->col[i].group == VIEW_COLUMNS_FIXED || isnan(age))
			continue;
		canvas_right(c, x + t->col[i].x + 1, y, t->col[i].w - 1,
			     age > 0 ? ROLE_STRONG : ROLE_DIM,
			     !(age > 0)   ? "now"
			     : age < 99.5 ? PRINTED("%ss", FIXED(age, decimals))
					  : PRINTED("%sm", FIXED(age / 60, 0)));
	}
}

void
heads_draw(struct canvas *c, const struct view *v, int x, int y, int end)
{
	struct heads heads;

	heads_make(v, &heads);
	for (unsigned i = 0; i < heads.n; i++) {
		const struct head *h = &heads.at[i];
		int w = canvas_width(h->text);

		int at = x + h->x +
			 (h->n == 1 && i > 0 ? h->w - w : (h->w - w) / 2);

		if (w == 0 || at + w >= end)
			continue;
		canvas_put(c, at - 1, y, ROLE_FRAME, " ");
		canvas_text(c, at, y, ROLE_DIM, h->text);
		canvas_put(c, at + w, y, ROLE_FRAME, " ");
	}
}

void
heads_rule(struct canvas *c, const struct view *v, int x, int y)
{
	canvas_fill(c, (struct rect){ 0, y, c->window.w, 1 }, ROLE_FRAME, "─");
	heads_draw(c, v, x, y, c->window.w);
}

static double
bar_max(const struct view *v)
{
	return v->metric.main == COLUMN_BUSY ? 100 : v->metric.ipc_max;
}

static void
draw_axis(struct canvas *c, const struct view *v, int x, int y)
{
	const struct layout_table *t = &v->lay.table;
	int step = v->metric.main == COLUMN_BUSY                 ? 50
		   : bar_max(v) > 6 && t->bar_w < 3 * bar_max(v) ? 4
								 : 2;
	int last = -2;

	for (int tick = 0; tick < (int)bar_max(v); tick += step) {
		int at = (int)lround(tick * t->bar_w / bar_max(v));
		const char *text = PRINTED("%d", tick);

		if (at < last + 2 || at + (int)strlen(text) > t->bar_w)
			break;
		canvas_text(c, x + t->bar_x + at, y, ROLE_DIM, text);
		last = at;
	}
}

void
panel_note_order(const struct view *v, const struct rows *r, bool ascii,
		 struct buf *b)
{
	buf_str(b, "s sort: ");
	view_column_label(v, r->sort, b);
	if (r == &v->procs->list && r->sort == SORT_WORST) {
		buf_str(b, " over 5% CPU");
		return;
	}
	buf_str(b, view_sort_arrow(r, ascii));
	size_t arrow = b->len;

	buf_str(b, " ");
	if (!view_column_missing(v, r, r->sort, b))
		b->len = arrow;
}

void
panel_note_filter(const struct view *v, const struct rows *r, struct buf *b)
{
	buf_str(b, "   / filter");
	if (r->filter[0] != 0 && view_filter_wrong(v, r) == NULL)
		buf_printf(b, ": %s", r->filter);
}

static const char *
arrow_of(const struct canvas *c, const struct view *v)
{
	return view_sort_arrow(&v->list, c->glyphs == CANVAS_ASCII);
}

static void
draw_title(struct canvas *c, const struct view *v,
	   const struct layout_column *col, int x, int y, bool sorted)
{
	const char *label = view_label(v, col->metric);
	bool approx = view_metric(v, col->metric)->approx &&
		      strchr(label, '~') == NULL;

	/* The arrow may fill the gap on the left of the column. */
	canvas_right(c, x + col->x, y, col->w, sorted ? ROLE_KEY : ROLE_DIM,
		     PRINTED("%s%s%s", sorted ? arrow_of(c, v) : "", label,
			     approx ? "~" : ""));
}

static void
draw_lost_title(struct canvas *c, const struct view *v, int x, int y,
		bool sorted)
{
	const struct layout_table *t = &v->lay.table;
	unsigned n = v->f->nscopes, at = 0;

	while (at < n && !v->f->bottleneck[at].lost_about)
		at++;
	canvas_right(c, x + t->lost_x - 1, y, t->lost_w + 1 + (at < n),
		     sorted ? ROLE_KEY : ROLE_DIM,
		     PRINTED("%s%s%s", sorted ? arrow_of(c, v) : "",
			     view_label(v, v->metric.lost), at < n ? "~" : ""));
}

static void
titles_draw(struct canvas *c, const struct view *v, int x, int y, bool sorted)
{
	const struct layout_table *t = &v->lay.table;
	bool sorted_main = sorted && (v->list.sort == v->metric.main ||
				      v->list.sort == SORT_WORST);

	if (t->bottleneck_w > 0)
		canvas_text(c, x + t->bottleneck_x, y, ROLE_DIM, "BOTTLENECK");
	if (t->lost_w > 0)
		draw_lost_title(c, v, x, y,
				sorted && v->list.sort == v->metric.lost);
	canvas_right(c, x + t->ipc_x - 1, y, 6,
		     sorted_main ? ROLE_KEY : ROLE_DIM,
		     PRINTED("%s%s", sorted_main ? arrow_of(c, v) : "",
			     view_label(v, v->metric.main)));
	if (v->reference.then != NULL)
		change_bar_title(c,
				 (struct rect){ x + t->bar_x, y, t->bar_w, 1 });
	else if (t->bar_w > 2)
		draw_axis(c, v, x, y);
	for (unsigned i = 0; i < t->ncols; i++)
		draw_title(c, v, &t->col[i], x, y,
			   sorted && v->list.sort == t->col[i].metric);
}

/* Returns the trend's cells after `taken` cells and a gap; w 0: too few. */
static struct rect
trend_place(const struct view *v, int x, int taken)
{
	enum { LEAST = 8, GAP = 2 };
	const struct layout_table *t = &v->lay.table;
	int from = taken > 0 ? taken + GAP : 0, w = t->spark_w - from;

	return (struct rect){ x + t->spark_x + from, 0,
			      taken > 0 && w < LEAST ? 0 : w, 1 };
}

void
panel_titles_draw(struct canvas *c, const struct view *v, int x, int y,
		  bool sorted, int taken)
{
	struct rect trend = trend_place(v, x, taken);
	char text[32];
	struct buf b = buf_over(text, sizeof text);

	titles_draw(c, v, x, y, sorted);
	if (trend.w <= 0 || v->reference.then != NULL)
		return;
	spark_title(v, view_label(v, v->metric.main), trend.w, &b);
	canvas_right(c, trend.x, y, trend.w, ROLE_DIM, buf_cstr(&b));
}

/* There are only two shades, because each change of shade redraws the bar. */
static unsigned
busy_bar_shade(double busy_pct)
{
	enum { PALE = 5 };

	return busy_pct < 10 ? PALE : ROLE_STEPS - 1;
}

/* Replaces a value that is not counted now by the last value, dim. */
static void
show_aged_value(const struct view *v, unsigned scope, int metric, int w,
		struct value_shown *out)
{
	double age, last;

	if (metric == COLUMN_BUSY ||
	    frame_state(v->f, scope, (unsigned)metric) != VALUE_NOT_COUNTED ||
	    frame_state(v->f, scope, (unsigned)v->metric.ipc) > VALUE_FEW)
		return;
	last = view_last_value(v, scope, metric, &age);
	value_number(last, view_metric(v, metric)->decimals,
		     value_width(view_metric(v, metric), w), out->text);
	out->role = ROLE_DIM;
}

void
panel_bottleneck_draw(struct canvas *c, const struct view *v, int x, int y,
		      unsigned scope)
{
	struct value_shown shown;

	value_show_bottleneck(v, scope, &shown);
	x += canvas_text(c, x, y, shown.role, shown.text);
	if (v->f->bottleneck[scope].flagged)
		canvas_put(c, x + 1, y, ROLE_ALARM, "!");
}

static bool
is_row_inactive(const struct view *v, unsigned scope)
{
	unsigned word = v->f->bottleneck != NULL ? v->f->bottleneck[scope].word
						 : BOTTLENECK_UNKNOWN;

	return v->lay.table.bottleneck_w > 0 &&
	       (word == BOTTLENECK_IDLE || word == BOTTLENECK_OFF);
}

/* Replaces a missing value by "-"; without a reference also each value of an
 * idle or off row. */
static void
show_value_or_dash(const struct view *v, unsigned scope,
		   struct value_shown *shown)
{
	bool none = strpbrk(shown->text, "0123456789") == NULL;

	if (!none && (v->reference.then != NULL || !is_row_inactive(v, scope)))
		return;
	memcpy(shown->text, "-", 2);
	shown->role = ROLE_DIM;
}

static void
draw_numbers(struct canvas *c, const struct view *v, int x, int y,
	     unsigned scope)
{
	const struct layout_table *t = &v->lay.table;
	struct value_row row;
	struct value_shown shown;

	value_row_take(v, scope, &row);
	for (unsigned i = 0; i < t->ncols; i++) {
		const struct layout_column *col = &t->col[i];

		value_row_show(v, &row, col->metric, col->w - 1, &shown);
		if (v->s->rotating)
			show_aged_value(v, scope, col->metric, col->w - 1,
					&shown);
		if (col->metric != COLUMN_BUSY)
			show_value_or_dash(v, scope, &shown);
		canvas_right(c, x + col->x + 1, y, col->w - 1, shown.role,
			     shown.text);
	}
}

/* A tick marks the width of the core; the cells after the tick are cleared. */
static void
draw_busy_bar(struct canvas *c, const struct view *v, int x, int y,
	      unsigned scope, enum role role)
{
	int w = v->lay.table.bar_w, end = w;
	double share =
		is_row_inactive(v, scope)
			? 0
			: view_value(v, scope, v->metric.main) / bar_max(v);
	unsigned width =
		v->metric.main == COLUMN_BUSY ? 0 : view_slots(v, scope);

	canvas_bar(c, x, y, w, share, role,
		   busy_bar_shade(span_busy_pct(&v->f->span[scope])));
	if (width > 0)
		end = (int)lround((double)width * w / bar_max(v));
	if (width == 0 || share * w > end || end > w)
		return;
	canvas_text(c, x + end, y, ROLE_DIM,
		    c->glyphs == CANVAS_ASCII ? "|" : "▏");
	canvas_fill(c, (struct rect){ x + end + 1, y, w - end - 1, 1 },
		    ROLE_TEXT, " ");
}

void
panel_value(const struct view *v, unsigned scope, int metric, int w,
	    struct value_shown *out)
{
	value_show(v, scope, metric, w, out);
	if (metric != COLUMN_BUSY)
		show_value_or_dash(v, scope, out);
}

/* Shows "idle" or "off" only if there is no column BOTTLENECK. */
void
panel_main_value(const struct view *v, unsigned scope, struct value_shown *out)
{
	value_show_main(v, scope, out);
	if (v->lay.table.bottleneck_w > 0 ||
	    (strcmp(out->text, "idle") != 0 && strcmp(out->text, "off") != 0))
		show_value_or_dash(v, scope, out);
}

void
panel_row_draw(struct canvas *c, const struct view *v, int x, int y,
	       unsigned scope, enum role role, int taken)
{
	struct rect trend = trend_place(v, x, taken);
	const struct layout_table *t = &v->lay.table;
	bool machine = scope == frame_scope_all(v->f);
	struct value_shown shown;

	if (t->bottleneck_w > 0 && !machine)
		panel_bottleneck_draw(c, v, x + t->bottleneck_x, y, scope);
	if (t->lost_w > 0) {
		panel_value(v, scope, v->metric.lost, t->lost_w, &shown);
		canvas_right(c, x + t->lost_x, y, t->lost_w, shown.role,
			     shown.text);
	}
	panel_main_value(v, scope, &shown);
	canvas_right(c, x + t->ipc_x, y, 5, shown.role, shown.text);
	bool compares = v->reference.then != NULL && !machine;
	struct rect bar = { x + t->bar_x, y, t->bar_w, 1 };

	if (compares && t->bar_w > 0)
		change_bar_draw(c, v, bar, scope, trend.w <= 0);
	else if (t->bar_w > 0 && !machine)
		draw_busy_bar(c, v, bar.x, y, scope, role);
	draw_numbers(c, v, x, y, scope);
	trend.y = y;
	if (compares && trend.w > 0)
		(void)change_word_draw(c, v, trend, scope);
	else if (trend.w > 0 && !machine)
		spark_draw(c, v, scope, trend);
}

void
panel_no_match(struct canvas *c, const struct view *v, int x, int y,
	       const char *what)
{
	const struct rows *r = view_rows_now(v);
	char text[3 * VIEW_FILTER_SIZE];
	struct buf b = buf_over(text, sizeof text);
	int room = c->window.w - x - 1;

	if (view_filter_missing(v, r, &b))
		buf_str(&b, "; Esc clears the filter");
	else
		buf_printf(&b, "no %s matches the filter %s; Esc clears it",
			   what, r->filter);
	canvas_textn(c, x, y, room, ROLE_DIM,
		     canvas_width(buf_cstr(&b)) <= room
			     ? text
			     : "no match; Esc clears it");
}
