#include "model/power.h"
#include "ui/panels/power.h"
#include "ui/view/value.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHARTS = 4, LEAST_H = 7, TWO_FROM_W = 100 };

struct series {
	bool measured; /* GHz by the counters; else a value of a rail */
	unsigned rail; /* if `measured`, a scope */
	enum power_value what;
};

struct lines {
	const char *title;
	int decimals;
	unsigned n;
	struct series at[CHART_SERIES_MAX];
};

static bool
power_add_series(const struct view *v, struct lines *l, unsigned rail,
		 enum power_value what)
{
	if (l->n == CHART_SERIES_MAX || !power_is_known(v, rail, what))
		return false;
	l->at[l->n++] = (struct series){ .rail = rail, .what = what };
	return true;
}

/* Adds a line for each known cluster if there are at most `most` clusters. If
 * *l is still empty, adds one for all CPUs, except of traffic. */
static void
power_add_clusters(const struct view *v, struct lines *l, enum power_value what,
		   unsigned most)
{
	unsigned n = v->f->topology->nclusters;

	for (unsigned i = 0; n <= most && i < n; i++)
		(void)power_add_series(v, l, i, what);
	if (l->n == 0 && what != POWER_VALUE_TRAFFIC)
		(void)power_add_series(v, l, n, what);
}

static void
clock_lines(const struct view *v, struct lines *l)
{
	const struct topology *t = v->f->topology;
	unsigned n = t->nclusters;
	bool kinds = n > CHART_SERIES_MAX, known = false;

	for (unsigned i = 0; i < n; i++)
		known = known || power_is_known(v, i, POWER_VALUE_CLOCK);
	for (unsigned i = 0;
	     known && i < (kinds ? t->nkinds : n) && l->n < CHART_SERIES_MAX;
	     i++)
		l->at[l->n++] = (struct series){
			.measured = true,
			.rail = kinds ? frame_scope_kind(v->f, i)
				      : frame_scope_cluster(v->f, i)
		};
	for (unsigned i = 0; i < n && v->f->power != NULL; i++)
		if (v->f->power->row[i].throttled)
			(void)power_add_series(v, l, i, POWER_VALUE_CLOCK);
}

static struct lines
power_lines_of(const struct view *v, unsigned chart)
{
	static const char *const title[CHARTS] = {
		"W by rail", "DRAM, GB/s", "clock, GHz",
		"energy of an instruction, nJ"
	};
	static const int decimals[CHARTS] = { 1, 0, 2, 2 };
	struct lines l = { .title = title[chart], .decimals = decimals[chart] };
	unsigned cpu = v->f->topology->nclusters, wholes = cpu + 1;

	if (chart == 0) {
		power_add_clusters(v, &l, POWER_VALUE_WATTS,
				   CHART_SERIES_MAX - 2);
		for (unsigned i = POWER_WHOLES; i-- > 0;)
			(void)power_add_series(v, &l, wholes + i,
					       POWER_VALUE_WATTS);
	} else if (chart == 1) {
		(void)power_add_series(v, &l, cpu, POWER_VALUE_TRAFFIC);
		power_add_clusters(v, &l, POWER_VALUE_TRAFFIC,
				   CHART_SERIES_MAX - 1);
	} else if (chart == 2) {
		clock_lines(v, &l);
	} else {
		power_add_clusters(v, &l, POWER_VALUE_NJ, CHART_SERIES_MAX);
	}
	return l;
}

static unsigned
series_values(const struct view *v, const struct chart *k,
	      const struct series *s)
{
	unsigned n = k->frames - k->ahead;

	if (s->measured)
		n = view_read_past(v, OF_SCOPE(s->rail), v->metric.ghz, n);
	else
		n = power_past(v, s->rail, s->what, n);
	for (unsigned i = 0; i < n && s->what == POWER_VALUE_TRAFFIC; i++)
		v->scratch[i] *= 1e-9F;
	return chart_spread(v, k, n, k->frames - k->ahead, false);
}

static void
series_name(const struct view *v, const struct series *s, bool traffic,
	    struct chart_name *out)
{
	const struct topology *t = v->f->topology;
	bool requested = s->what == POWER_VALUE_CLOCK && !s->measured;
	unsigned cpu = t->nclusters, cluster = s->rail, kind = t->nkinds;

	if (s->measured && v->f->scope[s->rail].level == SCOPE_KIND)
		kind = v->f->scope[s->rail].index;
	if (s->measured)
		cluster = v->f->scope[s->rail].index;
	const char *name = kind < t->nkinds ? t->kind[kind].letter
			   : traffic && cluster >= cpu
				   ? "DRAM"
				   : power_rail_name(v, cluster);

	*out = (struct chart_name){ .role = ROLE_TEXT, .letter = name[0] };
	snprintf(out->text, sizeof out->text, "%s%s", name,
		 requested ? " req" : "");
	if (kind < t->nkinds) {
		out->role = view_kind_role(kind);
	} else if (cluster < cpu) {
		out->role =
			requested ? ROLE_DIM : view_cluster_role(t, cluster);
		out->letter = requested ? 'q' : (char)('a' + (int)cluster);
		for (unsigned i = 0; i < cluster; i++)
			out->nth +=
				t->cluster[i].kind == t->cluster[cluster].kind;
	} else if (cluster == cpu + 1 + POWER_RAIL_GPU) {
		out->role = ROLE_DIM;
	}
}

static void
power_chart_note(const struct view *v, const struct chart *k, unsigned chart,
		 struct buf *b)
{
	const struct frame_power *p = v->f->power;
	double cell_s =
		(double)k->frames / k->plot.w * (double)v->s->period_ns * 1e-9;
	double both = p != NULL ? frame_power_machine(p)->traffic.both : NAN;

	if (chart == 0)
		buf_printf(b, "%s s a cell   z time",
			   FIXED(cell_s, cell_s < 1));
	else if (chart == 1 && !isnan(both) && p->ceiling > 0 && !p->seen)
		buf_printf(b, "now %s%% of the ceiling %s",
			   FIXED(both / p->ceiling * 100, 0),
			   FIXED(p->ceiling * 1e-9, 0));
}

static void
draw_power_chart(struct canvas *c, const struct view *v, unsigned chart)
{
	struct lines l = power_lines_of(v, chart);
	struct chart k = { .core = -1, .nseries = l.n };
	double last[CHART_SERIES_MAX + 1] = { 0 }, most = 0;
	char note[64];
	struct buf b = buf_over(note, sizeof note);

	for (unsigned i = 0; i < l.n; i++)
		series_name(v, &l.at[i], chart == 1, &k.name[i]);
	chart_place(c, &k);
	if (k.plot.w < 8 || k.plot.h < 2) {
		panel_box(c, l.title, "");
		return;
	}
	k.frames = chart_frames(v, &k);
	k.ahead = chart_frames_ahead(v, &k);
	power_chart_note(v, &k, chart, &b);
	panel_box(c, l.title, buf_cstr(&b));
	chart_gaps_find(v, &k);
	for (unsigned i = 0; i < l.n; i++)
		most = chart_most(v, series_values(v, &k, &l.at[i]), most);
	chart_fit(&k, most > 0 ? most : 1);
	chart_scale_draw(c, &k);
	chart_times_draw(c, v, &k);
	chart_gaps_draw(c, v, &k);
	chart_markers_draw(c, v, &k, false);
	for (unsigned i = l.n; i-- > 0;) {
		unsigned n = series_values(v, &k, &l.at[i]);

		last[i] = n > 0 ? (double)v->scratch[n - 1] : NAN;
		(void)chart_line_draw(c, v, &k, n, &k.name[i]);
	}
	if (k.ends)
		chart_ends_draw(c, &k, last, l.decimals);
	chart_markers_draw(c, v, &k, true);
}

bool
power_traffic_draw(struct canvas *c, const struct view *v)
{
	if (power_lines_of(v, 1).n == 0)
		return false;
	draw_power_chart(c, v, 1);
	return true;
}

void
power_charts_draw(struct canvas *c, const struct view *v)
{
	struct rect all = c->window;
	unsigned known[CHARTS], n = 0;
	unsigned across = all.w >= TWO_FROM_W ? 2 : 1;

	for (unsigned i = 0; i < CHARTS; i++)
		if (power_lines_of(v, i).n > 0)
			known[n++] = i;
	unsigned down = (unsigned)(all.h / LEAST_H);

	if (n > across * down)
		n = across * down;
	if (n == 0)
		return;
	if (across > n)
		across = n;
	down = (n + across - 1) / across;
	for (unsigned i = 0; i < n; i++) {
		unsigned row = i / across, col = i % across;
		/* A chart that is alone in the last row has the full width. */
		unsigned in_row = row + 1 == down ? n - row * across : across;
		int x = all.w * (int)col / (int)in_row,
		    y = all.h * (int)row / (int)down;

		canvas_window(c,
			      (struct rect){
				      all.x + x, all.y + y,
				      all.w * (int)(col + 1) / (int)in_row - x,
				      all.h * (int)(row + 1) / (int)down - y });
		draw_power_chart(c, v, known[i]);
	}
}
