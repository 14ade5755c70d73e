/* Energy, memory traffic and throttling as metrics of a recording. */
#include "analysis/analysis.h"

#include <assert.h>
#include <math.h>

static const struct metric metric_nj = { .name = "nj_per_instruction",
					 .unit = UNIT_NJ,
					 .decimals = 3 },
			   metric_throttled = { .name = "throttled_pct",
						.unit = UNIT_PCT,
						.decimals = 1 };

static_assert(METRIC_MAX + DIGEST_POWERS <= DIGEST_METRICS, "room for all");

void
digest_power_add_metrics(struct digest *d)
{
	for (unsigned i = 0; i < POWER_TOTALS; i++)
		d->metric[d->nmetrics++] = &power_total_table[i].rate;
	d->metric[d->nmetrics++] = &metric_nj;
	d->metric[d->nmetrics++] = &metric_throttled;
}

static bool
digest_take_value(struct digest *d, unsigned row, unsigned what, double v,
		  double by, uint8_t marks, bool keeping)
{
	struct digest_cell *c =
		digest_at(d, row, d->nmetrics - DIGEST_POWERS + what);

	if (isnan(v) || !(by > 0))
		return true;
	c->frames++;
	c->sum += v * by;
	c->weight += by;
	c->value = c->sum / c->weight;
	c->marks |= marks;
	return !keeping || kept_add_value(d, c, v, by);
}

static bool
digest_take_energy(struct digest *d, unsigned row, unsigned what,
		   const struct power_energy *e, double since_s, bool keeping)
{
	return !e->fresh || !power_span_is_within(e->span_s, since_s) ||
	       digest_take_value(d, row, what, e->watts, e->span_s, e->marks,
				 keeping);
}

static bool
digest_take_power(struct digest *d, unsigned row, const struct power_row *r,
		  double interval_s, double since_s, bool keeping)
{
	const struct power_energy *e = &r->energy;
	const struct power_traffic *t = &r->traffic;
	const double rate[] = { t->both, t->read, t->write };
	bool ok = digest_take_energy(d, row, POWER_TOTAL_CPUS, e, since_s,
				     keeping);

	if (e->fresh && r->nj_instruction > 0 &&
	    power_span_is_within(e->span_s, since_s))
		ok = digest_take_value(
			     d, row, DIGEST_POWER_NJ, r->nj_instruction,
			     e->watts * e->span_s * 1e9 / r->nj_instruction,
			     e->marks, keeping) &&
		     ok;
	for (unsigned i = 0; i < 3; i++)
		if (t->fresh && power_span_is_within(t->span_s, since_s))
			ok = digest_take_value(d, row, POWER_TOTAL_TRAFFIC + i,
					       rate[i] * 1e-9, t->span_s,
					       t->marks, keeping) &&
			     ok;
	if (r->throttle_known)
		ok = digest_take_value(d, row, DIGEST_POWER_THROTTLED,
				       r->throttled ? 100 : 0, interval_s, 0,
				       keeping) &&
		     ok;
	return ok;
}

bool
digest_power_take(struct digest *d, const struct frame *f, double since_s,
		  bool keeping)
{
	const struct frame_power *p = f->power;
	bool ok = true;

	if (p == NULL)
		return true;
	for (unsigned i = 0; i + 1 < p->nrows; i++)
		ok = digest_take_power(d, frame_scope_cluster(f, i), &p->row[i],
				       f->interval_s, since_s, keeping) &&
		     ok;
	ok = digest_take_power(d, frame_scope_all(f), frame_power_machine(p),
			       f->interval_s, since_s, keeping) &&
	     ok;
	for (unsigned i = 0; i < POWER_WHOLES; i++)
		ok = digest_take_energy(d, frame_scope_all(f),
					POWER_TOTAL_WHOLES + i,
					frame_power_energy(p, p->nrows + i),
					since_s, keeping) &&
		     ok;
	return ok;
}
