/* Rails and power readings on the wire. */
#include "server/wire.h"

#include <math.h>
#include <string.h>

#define TIME_MOST_NS ((int64_t)1 << 62)

enum { REASON = sizeof((struct power_source *)NULL)->no_energy };

struct wire_rail {
	char name[POWER_NAME_SIZE];
	uint8_t what;
	char letter;
	int8_t die, nth;
	int16_t cluster, unused;
};

struct wire_reading {
	int64_t at_ns;
	double total, weight;
	uint8_t have, marks, unused[6];
};

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
	for (unsigned i = 0; i < n; i++) {
		const struct power_rail *from = &s.rail[i];
		struct wire_rail r = { .what = from->what,
				       .letter = from->letter,
				       .die = from->die,
				       .nth = from->nth,
				       .cluster = from->cluster };

		memcpy(r.name, from->name, sizeof r.name);
		SEAL(r.name);
		wire_put(w, &r, sizeof r);
	}
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
	for (unsigned i = 0; i < p->nrails; i++) {
		struct wire_rail from;

		wire_get(r, &from, sizeof from);
		if (!ENDS(from.name) || from.what >= POWER_WHATS ||
		    from.cluster < 0 || from.cluster > (int)nclusters ||
		    from.die < -1 || from.nth < 0)
			r->bad = true;
		p->rail[i] = (struct power_rail){ .what = from.what,
						  .letter = from.letter,
						  .die = from.die,
						  .nth = from.nth,
						  .cluster = from.cluster };
		memcpy(p->rail[i].name, from.name, sizeof from.name);
	}
}

void
wire_put_energy(struct wire_out *w, const struct power_reading *reading,
		unsigned nrails)
{
	for (unsigned i = 0; i < nrails; i++) {
		const struct power_reading *from = &reading[i];
		const struct wire_reading r = { .at_ns = from->at_ns,
						.total = from->total,
						.weight = from->weight,
						.have = from->have,
						.marks = from->marks };

		wire_put(w, &r, sizeof r);
	}
}

void
wire_get_energy(struct wire_in *r, struct power_reading *reading,
		unsigned nrails)
{
	for (unsigned i = 0; i < nrails; i++) {
		struct wire_reading from;

		wire_get(r, &from, sizeof from);
		if (from.have > 1 || from.at_ns < 0 ||
		    from.at_ns > TIME_MOST_NS || !isfinite(from.total) ||
		    !isfinite(from.weight))
			r->bad = true;
		reading[i] = (struct power_reading){ .have = from.have == 1 &&
							     !r->bad,
						     .marks = from.marks,
						     .at_ns = from.at_ns,
						     .total = from.total,
						     .weight = from.weight };
	}
}
