#include "ui/panels/power.h"

#include <math.h>

unsigned
power_past(const struct view *v, unsigned rail, enum power_value what,
	   unsigned n)
{
	unsigned back = v->when.back;

	if (v->run == NULL || back >= VIEW_SPARK_MAX)
		return 0;
	if (n > VIEW_SPARK_MAX - back)
		n = VIEW_SPARK_MAX - back;
	n = history_power(v->run, rail, what, n + back, v->scratch);
	return n > back ? n - back : 0;
}

bool
power_is_known(const struct view *v, unsigned rail, enum power_value what)
{
	const struct frame_power *p = v->f->power;

	if (p != NULL && !isnan(frame_power_value(p, what, rail)))
		return true;
	unsigned n = power_past(v, rail, what, VIEW_SPARK_MAX);

	while (n > 0 && isnan(v->scratch[n - 1]))
		n--;
	return n > 0;
}

const char *
power_rail_name(const struct view *v, unsigned rail)
{
	unsigned clusters = v->f->topology->nclusters;

	return rail < clusters ? v->f->topology->cluster[rail].label
			       : power_total_table[rail - clusters].title;
}

double
power_measured_ghz(const struct view *v, unsigned cluster)
{
	const struct span *s = &v->f->span[frame_scope_cluster(v->f, cluster)];

	return span_has_fixed(s) && s->busy_ns > 0
		       ? (double)s->cycles / s->busy_ns
		       : NAN;
}

bool
power_span_is_long(const struct view *v, const struct power_energy *e)
{
	const double intervals = 2;

	return e->span_s > intervals * fmax(v->f->interval_s, 1);
}

/* NAN: energy and traffic cover different spans, or the energy is unknown. */
static double
bytes_per_instruction(const struct power_row *r)
{
	const double near = 0.05;
	double e = r->energy.span_s, t = r->traffic.span_s;

	if (!(fabs(e - t) < near * e) || !(r->energy.watts > 0))
		return NAN;
	return r->traffic.both * r->nj_instruction * 1e-9 / r->energy.watts;
}

unsigned
power_details(const struct view *v, unsigned scope,
	      struct power_detail out[POWER_DETAILS])
{
	const struct scope *s = &v->f->scope[scope];
	const struct frame_power *p = v->f->power;
	unsigned n = 0;

	if (p == NULL || (s->level != SCOPE_CLUSTER && s->level != SCOPE_ALL))
		return 0;
	bool cluster = s->level == SCOPE_CLUSTER;
	const struct power_row *r =
		cluster ? &p->row[s->index] : frame_power_machine(p);
	double ghz = cluster ? power_measured_ghz(v, s->index) : NAN;
	const struct power_detail all[POWER_DETAILS] = {
		{ "W", "", r->energy.watts, 1, false },
		{ "nJ/i", "per instruction",
		  (r->energy.marks & POWER_DOUBTFUL) != 0 ? NAN
							  : r->nj_instruction,
		  2, false },
		{ "GB/s",
		  (r->traffic.marks & POWER_AT_LEAST) != 0 ? "at least" : "",
		  r->traffic.both * 1e-9, 1, false },
		{ "B/i", "bytes per instruction", bytes_per_instruction(r), 2,
		  false },
		{ "GHz req", "requested", r->clock_ghz, 2, false },
		{ "GHz gap", "% from requested", (ghz / r->clock_ghz - 1) * 100,
		  0, r->throttled },
	};

	for (unsigned i = 0; i < POWER_DETAILS; i++)
		if (!isnan(all[i].value))
			out[n++] = all[i];
	return n;
}
