/* Watts and memory traffic in one line under the headline. */
#include "model/power.h"
#include "ui/panels/inner.h"

#include <math.h>
#include <stdio.h>

/* A span of so many samples is said. */
static const double long_spans = 2;

bool
power_line_there(const struct view *v)
{
	const struct frame_power *p = v->f->power;

	return p != NULL && v->kind == VIEW_OVERVIEW &&
	       (!isnan(frame_power_machine(p)->energy.watts) ||
		!isnan(frame_power_machine(p)->traffic.both));
}

/* "CPU 16.0 W (2.1 s)"; nothing where it is not known. */
static int
put_watts(struct canvas *c, int x, int y, const char *name,
	  const struct power_energy *e, double interval_s)
{
	char number[64], span[32] = "";
	int at = x;

	if (isnan(e->watts))
		return 0;
	if (e->span_s > long_spans * interval_s)
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

/* "DRAM 41 of 153 GB/s": the most that was seen is no ceiling. */
static int
put_traffic(struct canvas *c, int x, int y, const struct frame_power *p)
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

/* "P0 throttled: 2.86 of 3.23 GHz"; each cluster, as far as there is room. */
static int
put_throttled(struct canvas *c, int x, int y, const struct view *v)
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
	double interval = v->f->interval_s > 1 ? v->f->interval_s : 1;
	int x = 3;

	x += put_watts(c, x, y, "CPU", &frame_power_machine(p)->energy,
		       interval);
	x += put_traffic(c, x, y, p);
	x += put_throttled(c, x, y, v);
	if (c->window.w < 100)
		return;
	x += put_watts(c, x, y, "DRAM", &p->dram, interval);
	put_watts(c, x, y, "GPU", &p->gpu, interval);
}
