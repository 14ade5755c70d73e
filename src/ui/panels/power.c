#include "model/power.h"
#include "ui/panels/power.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
	SIDE_FROM_W = 100, /* least width for a separate box of clocks */
	CHART_LEAST_H = 7,
	CLOCKS_H = 8, /* rows of the box of clocks, without those of clusters */
	NAME_W = 9,
	RAILS_MOST = 64,
	PAST_S = 60
};

/* From left to right. The bar follows RAIL_SPAN or, if that is not shown,
 * RAIL_W. */
enum column {
	RAIL_W,
	RAIL_SPAN,
	RAIL_BEFORE, /* RAIL_BEFORE, RAIL_CHANGE: only with a reference */
	RAIL_CHANGE,
	RAIL_MEAN,
	RAIL_MOST,
	RAIL_GHZ,
	RAIL_REQUESTED,
	RAIL_NJ,
	RAIL_J,
	RAIL_GBS,
	RAIL_COLUMNS
};

static const struct {
	const char *title;
	int w, decimals;
} column_table[RAIL_COLUMNS] = {
	[RAIL_W] = { "W", 7, 1 },           [RAIL_SPAN] = { "span", 9, 1 },
	[RAIL_BEFORE] = { "before", 8, 1 }, [RAIL_CHANGE] = { "change", 8, 1 },
	[RAIL_MEAN] = { "mean", 7, 1 },     [RAIL_MOST] = { "max", 7, 1 },
	[RAIL_GHZ] = { "GHz", 6, 2 },       [RAIL_REQUESTED] = { "req", 6, 2 },
	[RAIL_NJ] = { "nJ/i", 7, 2 },       [RAIL_J] = { "J", 7, 0 },
	[RAIL_GBS] = { "GB/s", 7, 1 },
};

/* Columns at the end are dropped first. */
static const enum column by_importance[RAIL_COLUMNS] = {
	RAIL_W,      RAIL_GBS,    RAIL_NJ,  RAIL_SPAN,
	RAIL_BEFORE, RAIL_CHANGE, RAIL_GHZ, RAIL_REQUESTED,
	RAIL_MEAN,   RAIL_MOST,   RAIL_J
};

struct rails {
	const struct view *v;
	const struct frame_power *p, *before;
	unsigned n, at[RAILS_MOST];
	unsigned cpu;
	bool shown[RAIL_COLUMNS];
	bool clocks;
	int bar_w;
	double most_watts;
	double past_s; /* time that mean, max and J cover, s */
	uint8_t marks;
};

/* Finds the rail of all CPUs and the rails with a value now or earlier. */
static void
rails_find(struct rails *r)
{
	unsigned all = r->p->nrows + POWER_WHOLES;

	for (unsigned i = 0; i < all && r->n < RAILS_MOST; i++) {
		bool traffic = i < r->cpu || i == r->p->nrows + POWER_RAIL_DRAM;
		unsigned of = i < r->cpu ? i : r->cpu;

		if (i == r->cpu || power_is_known(r->v, i, POWER_VALUE_WATTS) ||
		    (traffic && power_is_known(r->v, of, POWER_VALUE_TRAFFIC)))
			r->at[r->n++] = i;
		double watts = frame_power_energy(r->p, i)->watts;

		if (watts > r->most_watts)
			r->most_watts = watts;
		if (r->v->run != NULL)
			r->past_s =
				fmax(r->past_s,
				     history_energy(r->v->run, r->v->when.back,
						    i, PAST_S)
					     .s);
	}
}

/* *both: bytes/s of a rail: a cluster's own, DRAM the machine's, the CPUs the
 * clusters' sum, GPU+I/O the rest; of other rails NAN. */
static const struct power_traffic *
rail_traffic(const struct rails *r, unsigned rail, double *both)
{
	const struct power_traffic *t =
		rail < r->cpu ? &r->p->row[rail].traffic
			      : &frame_power_machine(r->p)->traffic;

	*both = t->both;
	if (rail < r->cpu || rail == r->p->nrows + POWER_RAIL_DRAM)
		return t;
	bool others = rail == r->p->nrows + POWER_RAIL_GPU;
	double clusters = r->cpu > 0 && (others || rail == r->cpu) ? 0 : NAN;

	for (unsigned i = 0; i < r->cpu; i++)
		clusters += r->p->row[i].traffic.both;
	/* GPU+I/O: a rest below 0.1 % of the traffic counts as unknown. */
	*both = !others                               ? clusters
		: t->both - clusters > 1e-3 * t->both ? t->both - clusters
						      : NAN;
	return t;
}

static double
rail_column_value(const struct rails *r, enum column column, unsigned rail)
{
	const struct power_energy *e = frame_power_energy(r->p, rail);
	struct history_energy past = { 0, 0, 0 };
	bool cluster = rail < r->cpu;
	double before = r->before != NULL
				? frame_power_energy(r->before, rail)->watts
				: NAN;
	double both;

	if (r->v->run != NULL)
		past = history_energy(r->v->run, r->v->when.back, rail, PAST_S);
	switch (column) {
	case RAIL_W:
		return e->watts;
	case RAIL_SPAN:
		return power_span_is_long(r->v, e) && !isnan(e->watts)
			       ? e->span_s
			       : NAN;
	case RAIL_GBS:
		(void)rail_traffic(r, rail, &both);
		return both * 1e-9;
	case RAIL_NJ:
		/* Doubtful energy gives no energy per instruction. */
		return (e->marks & POWER_DOUBTFUL) != 0
			       ? NAN
			       : frame_power_value(r->p, POWER_VALUE_NJ, rail);
	case RAIL_GHZ:
		return cluster ? power_measured_ghz(r->v, rail) : NAN;
	case RAIL_REQUESTED:
		return cluster ? r->p->row[rail].clock_ghz : NAN;
	case RAIL_BEFORE:
		return before;
	case RAIL_CHANGE:
		return e->watts - before;
	case RAIL_MEAN:
		return past.s > 0 ? past.joules / past.s : NAN;
	case RAIL_MOST:
		return past.s > 0 ? past.most_watts : NAN;
	case RAIL_J:
		return past.s > 0 ? past.joules : NAN;
	default:
		return NAN;
	}
}

/* True for W; for GB/s only if a cluster has a value, because the machine's
 * traffic has a line of its own. */
static bool
rail_column_has_values(const struct rails *r, enum column column)
{
	for (unsigned i = 0; i < r->n; i++)
		if ((column != RAIL_GBS || r->at[i] < r->cpu) &&
		    !isnan(rail_column_value(r, column, r->at[i])))
			return true;
	return column == RAIL_W;
}

static void
rails_choose_columns(struct rails *r, int w, bool clocks)
{
	enum { BAR_LEAST = 6, BAR_MOST = 160 };
	int room = w - NAME_W;

	for (unsigned k = 0; k < RAIL_COLUMNS; k++) {
		enum column i = by_importance[k];
		bool past = i == RAIL_MEAN || i == RAIL_MOST || i == RAIL_J;
		bool change = i == RAIL_BEFORE || i == RAIL_CHANGE;
		bool clock = i == RAIL_GHZ || i == RAIL_REQUESTED;

		if ((clock && clocks) ||
		    ((past || i == RAIL_SPAN) && r->before != NULL) ||
		    (change && r->before == NULL) ||
		    !rail_column_has_values(r, i) || column_table[i].w > room)
			continue;
		r->shown[i] = true;
		room -= column_table[i].w;
	}
	r->bar_w = room - 1 < BAR_LEAST  ? 0
		   : room - 1 > BAR_MOST ? BAR_MOST
					 : room - 1;
}

static void
rail_column_text(const struct rails *r, enum column column, unsigned rail,
		 double value, char *text, size_t size)
{
	const struct power_energy *e = frame_power_energy(r->p, rail);
	char number[VALUE_TEXT_SIZE];
	double both;
	const struct power_traffic *t = rail_traffic(r, rail, &both);
	uint8_t marks = column == RAIL_W || column == RAIL_NJ ? e->marks
			: column == RAIL_GBS                  ? t->marks
							      : 0;

	if (isnan(value)) {
		snprintf(text, size, "%s", column == RAIL_SPAN ? "" : "-");
		return;
	}
	if (column == RAIL_SPAN) {
		if (value < 120)
			snprintf(text, size, "(%.*f s)", value < 10, value);
		else
			snprintf(text, size, "(%.0f min)", value / 60);
		return;
	}
	if (column == RAIL_CHANGE)
		value_change(value, 1, 6, number);
	else
		value_number(value, column_table[column].decimals, 5, number);
	snprintf(text, size, "%s%s%s",
		 (marks & POWER_OWN_CLOCK) != 0 && column != RAIL_GBS ? "~"
		 : (marks & POWER_AT_LEAST) != 0                      ? ">"
		 : (marks & POWER_AT_MOST) != 0                       ? "<"
								      : "",
		 number,
		 (marks & POWER_DOUBTFUL) != 0 && column == RAIL_W ? "?" : "");
}

static enum role
rail_role(const struct view *v, unsigned rail)
{
	return rail < v->f->topology->nclusters
		       ? view_cluster_role(v->f->topology, rail)
		       : ROLE_STRONG;
}

static void
draw_rail(struct canvas *c, const struct rails *r, unsigned rail, int y)
{
	bool throttled = rail < r->p->nrows && r->p->row[rail].throttled;
	bool others = rail == r->p->nrows + POWER_RAIL_GPU &&
		      !isnan(rail_column_value(r, RAIL_GBS, rail));
	int x = 2;

	canvas_text(c, x, y, rail_role(r->v, rail),
		    others ? "GPU+I/O" : power_rail_name(r->v, rail));
	if (throttled && rail < r->cpu)
		canvas_put(c, x + NAME_W - 2, y, ROLE_ALARM, "!");
	x += NAME_W;
	for (unsigned i = 0; i < RAIL_COLUMNS; i++) {
		double value = rail_column_value(r, (enum column)i, rail);
		char text[40];

		if (!r->shown[i])
			continue;
		rail_column_text(r, (enum column)i, rail, value, text,
				 sizeof text);
		canvas_right(c, x, y, column_table[i].w,
			     isnan(value) || i == RAIL_SPAN ? ROLE_DIM
			     : i == RAIL_W                  ? ROLE_STRONG
			     : i == RAIL_GHZ && throttled   ? ROLE_BAD
							    : ROLE_TEXT,
			     text);
		x += column_table[i].w;
		if (i != (r->shown[RAIL_SPAN] ? RAIL_SPAN : RAIL_W) ||
		    r->bar_w == 0)
			continue;
		double watts = frame_power_energy(r->p, rail)->watts;

		if (!isnan(watts) && r->most_watts > 0)
			canvas_bar(c, x + 1, y, r->bar_w, watts / r->most_watts,
				   ROLE_DIM, ROLE_STEPS - 1);
		x += 1 + r->bar_w;
	}
}

static void
draw_rail_titles(struct canvas *c, const struct rails *r, int y)
{
	int x = 2 + NAME_W;

	canvas_text(c, 2, y, ROLE_DIM, "rail");
	for (unsigned i = 0; i < RAIL_COLUMNS; i++) {
		if (!r->shown[i])
			continue;
		canvas_right(c, x, y, column_table[i].w, ROLE_DIM,
			     column_table[i].title);
		x += column_table[i].w;
		if (i == (r->shown[RAIL_SPAN] ? RAIL_SPAN : RAIL_W) &&
		    r->bar_w > 0)
			x += 1 + r->bar_w;
	}
}

/* False: the W of a cluster or of all CPUs is unknown. */
static bool
rails_sum_text(const struct rails *r, struct buf *b)
{
	enum { NAMED = 4 };
	const struct power_energy *all = &frame_power_machine(r->p)->energy;
	double sum = 0;

	for (unsigned i = 0; i < r->cpu; i++)
		sum += r->p->row[i].energy.watts;
	if (isnan(sum) || isnan(all->watts) || r->cpu == 0)
		return false;
	for (unsigned i = 0; i < r->cpu && r->cpu <= NAMED; i++)
		buf_printf(b, "%s%s", i > 0 ? " + " : "",
			   power_rail_name(r->v, i));
	if (r->cpu > NAMED)
		buf_printf(b, "the %u clusters", r->cpu);
	buf_printf(b, " = %s W; CPU %s W", FIXED(sum, 1), FIXED(all->watts, 1));
	if ((all->marks & POWER_DOUBTFUL) != 0)
		buf_str(b, "?: more than 1% apart, so no nJ/i");
	return true;
}

static void
draw_memory_traffic(struct canvas *c, const struct rails *r, int y)
{
	enum { TEXT_W = 30 };
	const struct power_traffic *t = &frame_power_machine(r->p)->traffic;
	bool limit = !r->p->seen && r->p->ceiling > 0;
	char text[96];
	struct buf b = buf_over(text, sizeof text);
	int x = 2, room = c->window.w - 2, meter = room > 90 ? 20 : 12;

	buf_printf(&b, "memory %s%s",
		   (t->marks & POWER_AT_LEAST) != 0  ? ">= "
		   : (t->marks & POWER_AT_MOST) != 0 ? "<= "
						     : "",
		   FIXED(t->both * 1e-9, t->both < 10e9));
	if (limit)
		buf_printf(&b, " of %s GB/s", FIXED(r->p->ceiling * 1e-9, 0));
	else
		buf_str(&b, " GB/s");
	x += canvas_text(c, x, y, ROLE_TEXT, buf_cstr(&b)) + 2;
	if (limit && room - x > TEXT_W) {
		canvas_bar(c, x, y, meter, t->both / r->p->ceiling, ROLE_DIM,
			   ROLE_STEPS - 1);
		x += meter + 1;
		x += canvas_text(
			     c, x, y, ROLE_TEXT,
			     PRINTED("%.0f%%", t->both / r->p->ceiling * 100)) +
		     2;
	} else if (r->p->seen && r->p->ceiling > 0 && room - x > TEXT_W) {
		x += canvas_text(c, x, y, ROLE_DIM,
				 PRINTED("most so far %.0f",
					 r->p->ceiling * 1e-9)) +
		     2;
	}
	if (isnan(t->read) || isnan(t->write) || room - x < TEXT_W - 8)
		return;
	canvas_text(c, x, y, ROLE_DIM,
		    PRINTED("read %.1f  write %.1f", t->read * 1e-9,
			    t->write * 1e-9));
}

static bool
energy_is_known(const struct view *v, unsigned cpus)
{
	return power_is_known(v, cpus, POWER_VALUE_WATTS) ||
	       power_is_known(v, cpus + 1 + POWER_RAIL_PACKAGE,
			      POWER_VALUE_WATTS) ||
	       power_is_known(v, cpus + 1 + POWER_RAIL_PLATFORM,
			      POWER_VALUE_WATTS);
}

/* Why energy (0) or traffic (1) is unknown; NULL: known, "": no reason given.
 */
static const char *
power_missing_why(const struct view *v, unsigned i)
{
	static const char *const recorded[] = {
		"this recording has no energy",
		"this recording has no memory traffic"
	};
	static const char *const silent[] = {
		"no energy has been published yet (macOS 27 does so every 2 s, every 30 min, or never)",
		"no memory traffic has been published yet"
	};
	const struct frame_power *p = v->f->power;
	unsigned cpus = v->f->topology->nclusters;
	const char *why = p == NULL ? ""
			  : i == 0  ? p->no_energy
				    : p->no_traffic;

	if (i == 0 ? energy_is_known(v, cpus)
		   : power_is_known(v, cpus, POWER_VALUE_TRAFFIC))
		return NULL;
	if (p == NULL || v->s->replay != NULL)
		return v->s->replay != NULL ? recorded[i]
		       : i == 0 ? "this source of counters publishes no energy"
				: "";
	return why[0] != '\0'                      ? why
	       : i == 1 && p->no_energy[0] != '\0' ? ""
						   : silent[i];
}

static int
draw_power_missing(struct canvas *c, const struct view *v, int y, int w)
{
	char text[600];
	struct buf b = buf_over(text, sizeof text);
	int room = c != NULL && c->window.h - 1 > y ? c->window.h - 1 - y : 0;

	for (unsigned i = 0; i < 2; i++) {
		const char *why = power_missing_why(v, i);

		if (why != NULL && why[0] != '\0')
			buf_printf(&b, "%s%s", b.len > 0 ? "; " : "", why);
	}
	if (b.len == 0)
		return y;
	if (v->s->replay == NULL)
		buf_str(&b, ". ktop doctor shows what was tried");
	return y + canvas_wrap(c, (struct rect){ 2, y, w - 4, room }, ROLE_WARN,
			       buf_cstr(&b));
}

static struct rails
rails_make(const struct view *v, int w, bool clocks)
{
	struct rails r = { .v = v, .clocks = clocks };

	r.p = v->reference.then != NULL && v->reference.now != NULL
		      ? v->reference.now->power
		      : v->f->power;
	if (v->reference.then != NULL)
		r.before = v->reference.then->power;
	if (r.p == NULL)
		r.p = v->f->power;
	if (r.p == NULL)
		return r;
	r.cpu = r.p->nrows - 1;
	rails_find(&r);
	for (unsigned i = 0; i < r.n; i++) {
		double both;

		r.marks |= frame_power_energy(r.p, r.at[i])->marks |
			   rail_traffic(&r, r.at[i], &both)->marks;
	}
	rails_choose_columns(&r, w - 4, clocks);
	return r;
}

/* The box of rails shows an abnormal pressure if no box of clocks shows it. */
static bool
rails_show_pressure(const struct rails *r)
{
	return !r->clocks && r->p->pressure > POWER_PRESSURE_NOMINAL;
}

static void
draw_pressure(struct canvas *c, const struct frame_power *p, int y)
{
	canvas_text(c, 2, y, ROLE_DIM, "pressure");
	canvas_text(c, 2 + (int)sizeof "requested  " - 1, y,
		    p->pressure >= POWER_PRESSURE_HEAVY      ? ROLE_BAD
		    : p->pressure >= POWER_PRESSURE_MODERATE ? ROLE_WARN
							     : ROLE_TEXT,
		    PRINTED("%s (thermal, by the system)",
			    power_pressure_word[p->pressure]));
}

static int
rails_rows(const struct rails *r, int w)
{
	char text[96];
	struct buf b = buf_over(text, sizeof text);
	int rows = draw_power_missing(NULL, r->v, 0, w);

	if (r->p == NULL)
		return rows;
	rows += 1 + (int)r->n + (r->at[0] != r->cpu && r->n > 1);
	rows += rails_sum_text(r, &b);
	return rows + !isnan(frame_power_machine(r->p)->traffic.both) +
	       rails_show_pressure(r);
}

static void
draw_rails(struct canvas *c, const struct rails *r)
{
	char text[96], note[64];
	struct buf b = buf_over(text, sizeof text);
	struct buf n = buf_over(note, sizeof note);
	int y = 1, end = c->window.h - 1;

	if (r->before != NULL)
		buf_str(&n, "10 s, and 10 s at the reference");
	else if (r->shown[RAIL_MEAN])
		buf_printf(&n, "mean, max, J: last %s s", FIXED(r->past_s, 0));
	panel_box(c, "rails", buf_cstr(&n));
	if (r->p != NULL) {
		draw_rail_titles(c, r, y++);
		for (unsigned i = 0; i < r->n && y < end; i++) {
			if (r->at[i] == r->cpu && i > 0)
				canvas_fill(c,
					    (struct rect){ 2, y++,
							   c->window.w - 4, 1 },
					    ROLE_FRAME,
					    c->glyphs == CANVAS_ASCII ? "-"
								      : "─");
			if (y < end)
				draw_rail(c, r, r->at[i], y++);
		}
		if (y < end && rails_sum_text(r, &b))
			canvas_text(c, 2, y++,
				    (frame_power_machine(r->p)->energy.marks &
				     POWER_DOUBTFUL) != 0
					    ? ROLE_WARN
					    : ROLE_DIM,
				    buf_cstr(&b));
		if (y < end && !isnan(frame_power_machine(r->p)->traffic.both))
			draw_memory_traffic(c, r, y++);
		if (y < end && rails_show_pressure(r))
			draw_pressure(c, r->p, y++);
	}
	draw_power_missing(c, r->v, y, c->window.w);
}

static void
draw_cluster_clock(struct canvas *c, const struct rails *r, unsigned cluster,
		   int y, double most)
{
	enum { BAR_X = 38 };
	const struct power_row *row = &r->p->row[cluster];
	double measured = power_measured_ghz(r->v, cluster),
	       requested = row->clock_ghz, gap = measured / requested - 1;
	enum role role = row->throttled ? ROLE_BAD : ROLE_TEXT;
	char text[VALUE_TEXT_SIZE];
	int w = c->window.w - BAR_X - 2;

	canvas_text(c, 2, y, rail_role(r->v, cluster),
		    power_rail_name(r->v, cluster));
	if (row->throttled)
		canvas_put(c, 2 + NAME_W - 2, y, ROLE_ALARM, "!");
	value_number(requested, 2, 5, text);
	canvas_right(c, NAME_W, y, 10, isnan(requested) ? ROLE_DIM : ROLE_TEXT,
		     text);
	value_number(measured, 2, 5, text);
	canvas_right(c, NAME_W + 10, y, 10, isnan(measured) ? ROLE_DIM : role,
		     text);
	if (isnan(gap))
		canvas_right(c, NAME_W + 20, y, 8,
			     row->throttled ? role : ROLE_DIM,
			     row->throttled ? "slowed" : "-");
	else
		canvas_right(c, NAME_W + 20, y, 8, role,
			     PRINTED("%+.0f%%", gap * 100));
	if (w >= 4 && !isnan(measured) && most > 0)
		canvas_bar(c, BAR_X, y, w, measured / most, ROLE_DIM,
			   ROLE_STEPS - 1);
}

static void
draw_clocks(struct canvas *c, const struct rails *r)
{
	static const char *const legend[] = {
		"requested  by the system, while active",
		"measured   cycles / busy time",
		"!          over 10% slower for 3 samples"
	};
	int y = 1, end = c->window.h - 1;
	double most = 0;

	panel_box(c, "clock of busy cores", "GHz");
	canvas_right(c, NAME_W, y, 10, ROLE_DIM, "requested");
	canvas_right(c, NAME_W + 10, y, 10, ROLE_DIM, "measured");
	canvas_right(c, NAME_W + 20, y, 8, ROLE_DIM, "gap");
	for (unsigned i = 0; r->p != NULL && i < r->cpu; i++)
		most = fmax(most, fmax(power_measured_ghz(r->v, i),
				       r->p->row[i].clock_ghz));
	for (unsigned i = 0; r->p != NULL && i < r->cpu && y + 1 < end; i++)
		draw_cluster_clock(c, r, i, ++y, most);
	y += 2;
	if (r->p != NULL && r->p->pressure != POWER_PRESSURE_UNKNOWN && y < end)
		draw_pressure(c, r->p, y++);
	if (r->p != NULL && r->p->no_clock[0] != '\0' && y < end)
		y += canvas_wrap(
			c, (struct rect){ 2, y, c->window.w - 4, end - y },
			ROLE_DIM, r->p->no_clock);
	else
		for (unsigned i = 0; i < 3 && y < end; i++)
			panel_cut(c, 2, y++, c->window.w - 4, ROLE_DIM,
				  legend[i]);
}

static void
draw_power_marks(struct canvas *c, uint8_t marks)
{
	static const struct {
		uint8_t mark;
		const char *text;
	} row[] = { { POWER_OWN_CLOCK, "~ timed by ktop's readings" },
		    { POWER_AT_LEAST, "> at least: the top bucket was used" },
		    { POWER_AT_MOST, "< at most: the lowest bucket was used" },
		    { POWER_DOUBTFUL, "? clusters and total differ" },
		    { POWER_SCALED, "counters shared: scaled" } };
	int x = 1;

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		if ((marks & row[i].mark) != 0 &&
		    x + canvas_width(row[i].text) < c->window.w)
			x += canvas_text(c, x, 0, ROLE_DIM, row[i].text) + 3;
}

void
panel_power_draw(struct canvas *c, const struct view *v)
{
	struct rect all = c->window, at = all;
	bool side = all.w >= SIDE_FROM_W;
	int w = side ? all.w * 7 / 12 : all.w;
	struct rails r = rails_make(v, w, side);
	int rows = rails_rows(&r, w) + 2, rest;

	if (r.marks != 0 && all.h > rows) {
		canvas_window(
			c, (struct rect){ all.x, all.y + --all.h, all.w, 1 });
		draw_power_marks(c, r.marks);
	}
	if (side && r.p != NULL && rows < (int)r.cpu + CLOCKS_H)
		rows = (int)r.cpu + CLOCKS_H;
	rest = all.h - rows;
	if (rest < CHART_LEAST_H)
		rest = 0;
	at.w = w;
	at.h = all.h - rest;
	canvas_window(c, at);
	draw_rails(c, &r);
	if (side) {
		at.x += w;
		at.w = all.w - w;
		canvas_window(c, at);
		draw_clocks(c, &r);
	}
	if (rest == 0)
		return;
	canvas_window(c, (struct rect){ all.x, all.y + at.h, all.w, rest });
	power_charts_draw(c, v);
}
