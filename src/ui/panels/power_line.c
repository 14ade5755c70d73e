#include "model/power.h"
#include "ui/panels/power.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool
power_line_there(const struct view *v)
{
	const struct frame_power *p = v->f->power;

	return p != NULL && v->kind == VIEW_OVERVIEW &&
	       (!isnan(frame_power_machine(p)->energy.watts) ||
		!isnan(frame_power_machine(p)->traffic.both));
}

static int
power_put_watts(struct canvas *c, const struct view *v, int x, int y,
		const char *name, const struct power_energy *e)
{
	char number[64], span[32] = "";
	int at = x;

	if (isnan(e->watts))
		return 0;
	if (power_span_is_long(v, e))
		snprintf(span, sizeof span, " (%.*f s)", e->span_s < 10,
			 e->span_s);
	snprintf(number, sizeof number, " %s%.1f W",
		 (e->marks & POWER_OWN_CLOCK) != 0 ? "~" : "", e->watts);
	at += canvas_text(c, at, y, ROLE_DIM, name);
	at += canvas_text(c, at, y, ROLE_STRONG, number);
	at += canvas_text(c, at, y, ROLE_DIM, span);
	at += canvas_text(c, at, y, ROLE_DIM,
			  (e->marks & POWER_DOUBTFUL) != 0 ? "?   " : "   ");
	return at - x;
}

static int
put_memory_traffic(struct canvas *c, int x, int y, const struct frame_power *p)
{
	const struct power_traffic *t = &frame_power_machine(p)->traffic;
	char number[64], of[32] = "";
	int at = x;

	if (isnan(t->both))
		return 0;
	if (!p->seen && !isnan(p->ceiling))
		snprintf(of, sizeof of, " of %.0f", p->ceiling * 1e-9);
	snprintf(number, sizeof number, " %s%.*f",
		 (t->marks & POWER_AT_LEAST) != 0  ? ">= "
		 : (t->marks & POWER_AT_MOST) != 0 ? "<= "
						   : "",
		 t->both < 10e9, t->both * 1e-9);
	at += canvas_text(c, at, y, ROLE_DIM, "DRAM");
	at += canvas_text(c, at, y, ROLE_STRONG, number);
	at += canvas_text(c, at, y, ROLE_DIM, of);
	at += canvas_text(c, at, y, ROLE_DIM, " GB/s   ");
	return at - x;
}

static int
power_put_throttled(struct canvas *c, int x, int y, const struct view *v)
{
	const struct frame_power *p = v->f->power;
	const struct topology *t = v->f->topology;
	bool known = false;
	int at = x;

	for (unsigned i = 0; i < t->nclusters; i++) {
		const struct power_row *r = &p->row[i];
		const struct span *s =
			&v->f->span[frame_scope_cluster(v->f, i)];
		char text[80];

		known = known || !isnan(r->clock_ghz);
		if (!r->throttled || !(s->busy_ns > 0))
			continue;
		snprintf(text, sizeof text, "%s throttled: %.2f of %.2f GHz   ",
			 t->cluster[i].label, (double)s->cycles / s->busy_ns,
			 r->clock_ghz);
		if (at + (int)sizeof text / 2 > c->window.w)
			break;
		at += canvas_text(c, at, y, ROLE_BAD, text);
	}
	if (known && at == x)
		at += canvas_text(c, at, y, ROLE_DIM, "no throttling   ");
	return at - x;
}

void
power_line_draw(struct canvas *c, const struct view *v, int y)
{
	const struct frame_power *p = v->f->power;
	int x = 3;

	x += power_put_watts(c, v, x, y, "CPU",
			     &frame_power_machine(p)->energy);
	x += put_memory_traffic(c, x, y, p);
	x += power_put_throttled(c, x, y, v);
	if (c->window.w < 100)
		return;
	x += power_put_watts(c, v, x, y, "DRAM", &p->whole[POWER_RAIL_DRAM]);
	power_put_watts(c, v, x, y, "GPU", &p->whole[POWER_RAIL_GPU]);
}

enum { COLUMNS_W = 14 }; /* cells of "10.4 0.28   17" */

int
power_columns(const struct canvas *c, const struct view *v)
{
	const struct frame_power *p = v->f->power;

	if (p == NULL || c->w < 120 || v->lay.table.spark_w < COLUMNS_W)
		return 0;
	for (unsigned i = 0; i + 1 < p->nrows; i++)
		if (!isnan(p->row[i].energy.watts) ||
		    !isnan(p->row[i].traffic.both))
			return COLUMNS_W;
	return 0;
}

void
power_columns_titles(struct canvas *c, const struct view *v, int x, int y,
		     int heads)
{
	x += v->lay.table.spark_x;
	if (heads >= 0)
		canvas_text(c, x, heads, ROLE_DIM, " power, DRAM ");
	canvas_text(c, x, y, ROLE_DIM, "   W nJ/i GB/s");
}

static void
power_put_number(struct canvas *c, int end, int y, const char *mark,
		 double value, int decimals)
{
	enum { W = 5 };
	char text[VALUE_TEXT_SIZE];

	value_number(value, decimals, W - 1, text);
	canvas_right(c, end - W, y, W, isnan(value) ? ROLE_DIM : ROLE_TEXT,
		     isnan(value) ? "-" : PRINTED("%s%s", mark, text));
}

static void
draw_power_changes(struct canvas *c, const struct view *v, int x, int y,
		   unsigned cluster)
{
	enum { W = 5 };
	const double small = 0.03;
	static const struct {
		enum power_value what;
		int end, decimals;
		double scale;
	} column[] = { { POWER_VALUE_WATTS, 3, 1, 1 },
		       { POWER_VALUE_NJ, 9, 2, 1 },
		       { POWER_VALUE_TRAFFIC, 14, 0, 1e-9 } };
	const struct frame_power *then = v->reference.then->power,
				 *now = v->reference.now->power;

	for (unsigned i = 0; i < sizeof column / sizeof *column; i++) {
		double before =
			then != NULL ? frame_power_value(then, column[i].what,
							 cluster)
				     : NAN;
		double change = now != NULL
					? frame_power_value(now, column[i].what,
							    cluster) -
						  before
					: NAN;
		char text[VALUE_TEXT_SIZE];

		value_change(change * column[i].scale, column[i].decimals, W,
			     text);
		canvas_right(c, x + column[i].end - W, y, W,
			     fabs(change) >= small * before ? ROLE_TEXT
							    : ROLE_DIM,
			     text);
	}
}

/* Many machines publish only the total traffic. */
static bool
clusters_have_traffic(const struct frame_power *p)
{
	for (unsigned i = 0; i + 1 < p->nrows; i++)
		if (!isnan(p->row[i].traffic.both))
			return true;
	return false;
}

void
power_columns_draw(struct canvas *c, const struct view *v, int x, int y,
		   unsigned cluster)
{
	const struct power_row *row = &v->f->power->row[cluster];
	const struct power_energy *e = &row->energy;
	const char *about = (e->marks & POWER_OWN_CLOCK) != 0 ? "~" : "";

	x += v->lay.table.spark_x;
	if (v->reference.then != NULL) {
		draw_power_changes(c, v, x, y, cluster);
		return;
	}
	power_put_number(c, x + 4, y, about, e->watts, 1);
	power_put_number(c, x + 9, y, about,
			 (e->marks & POWER_DOUBTFUL) != 0 ? NAN
							  : row->nj_instruction,
			 2);
	if (isnan(row->traffic.both) && !clusters_have_traffic(v->f->power))
		return;
	power_put_number(c, x + 14, y,
			 (row->traffic.marks & POWER_AT_LEAST) != 0  ? ">"
			 : (row->traffic.marks & POWER_AT_MOST) != 0 ? "<"
								     : "",
			 row->traffic.both * 1e-9, 0);
}
