#include "server/wire.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define TIME_MOST_NS ((int64_t)1 << 62)

enum { REASON = sizeof((struct power_source *)NULL)->no_energy };

static_assert(sizeof(struct power_rail) == POWER_NAME_SIZE + 6 &&
		      sizeof(struct power_reading) == 32,
	      "no padding");

static char *
power_reason(struct power_source *p, unsigned i)
{
	return i == 0 ? p->no_energy : i == 1 ? p->no_traffic : p->no_clock;
}

void
wire_put_power(struct wire_out *w, const struct power_source *p)
{
	struct power_source s = *p;
	const uint32_t n = p->nrails;

	for (unsigned i = 0; i < 3; i++) {
		wire_clear_text_tail(power_reason(&s, i), REASON);
		wire_put(w, power_reason(&s, i), REASON);
	}
	wire_put(w, &n, sizeof n);
	for (unsigned i = 0; i < n; i++)
		SEAL(s.rail[i].name);
	wire_put(w, s.rail, n * sizeof *s.rail);
}

void
wire_get_power(struct wire_in *r, struct power_source *p, unsigned nclusters)
{
	uint32_t n;

	for (unsigned i = 0; i < 3; i++) {
		wire_get(r, power_reason(p, i), REASON);
		r->bad =
			r->bad || memchr(power_reason(p, i), 0, REASON) == NULL;
	}
	wire_get(r, &n, sizeof n);
	r->bad = r->bad || n > POWER_RAILS;
	p->nrails = r->bad ? 0 : n;
	wire_get(r, p->rail, p->nrails * sizeof *p->rail);
	for (unsigned i = 0; i < p->nrails; i++) {
		const struct power_rail *rail = &p->rail[i];

		if (!ENDS(rail->name) || rail->what >= POWER_WHATS ||
		    rail->cluster < 0 || rail->cluster > (int)nclusters ||
		    rail->die < -1 || rail->nth < 0)
			r->bad = true;
	}
}

void
wire_get_energy(struct wire_in *r, struct power_reading *reading,
		unsigned nrails)
{
	wire_get(r, reading, nrails * sizeof *reading);
	for (unsigned i = 0; i < nrails; i++) {
		struct power_reading *its = &reading[i];

		if (its->have > 1 || its->at_ns < 0 ||
		    its->at_ns > TIME_MOST_NS || !isfinite(its->total) ||
		    !isfinite(its->weight))
			r->bad = true;
		its->have = its->have && !r->bad;
	}
}
