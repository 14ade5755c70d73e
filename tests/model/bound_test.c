/* The short way to a value gives what the long one gives. */
#include "model/bound_row.h"

#include "model/events_tsv.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

enum { CPUS = 24, CLUSTERS = 5, KINDS = 2, GROUPS = CLUSTERS + KINDS + 1 };

struct machine {
	struct topology *t;
	struct delta delta[CPUS];
	struct sums sums[CPUS + GROUPS];
	uint32_t random;
};

static unsigned
draw(struct machine *m, unsigned below)
{
	m->random = m->random * 1664525u + 1013904223u;
	return (m->random >> 8) % below;
}

/* Some counted for a part of the time, some lack a count, some are off. */
static void
make_delta(struct machine *m, struct delta *d, unsigned nslots)
{
	unsigned luck = draw(m, 8);

	memset(d, 0, sizeof *d);
	d->verdict = luck == 0 ? ROW_OFF : ROW_GOOD;
	d->interval_ns = 1e9 + draw(m, 1000);
	d->event_ns = d->interval_ns;
	d->busy_share = (double)draw(m, 100) / 100;
	d->busy_ns = d->busy_share * d->interval_ns;
	d->have = 1u << TERM_WALL_NS | 1u << TERM_CPU_NS | 1u << TERM_EVENT_NS |
		  1u << TERM_BUSY_NS;
	for (unsigned i = 0; i < TERM_COUNTS; i++) {
		if (i >= nslots && i < EVENTSET_MAX)
			continue;
		d->count[i] = 1000000u * draw(m, 2000);
		d->ns[i] = luck == 1 ? d->interval_ns * draw(m, 100) / 100
				     : d->interval_ns;
		if (luck != 2 || draw(m, 3) > 0)
			d->have |= 1u << i;
	}
}

static void
make_sums(struct machine *m)
{
	struct sums *group = m->sums + CPUS;

	for (unsigned s = 0; s < CPUS + GROUPS; s++)
		sums_clear(&m->sums[s]);
	for (unsigned i = 0; i < CPUS; i++) {
		const struct topology_cpu *c = &m->t->cpu[i];

		sums_add_delta(&m->sums[i], &m->delta[i]);
		sums_add(&group[c->cluster], &m->sums[i]);
		sums_add(&group[CLUSTERS + c->kind], &m->sums[i]);
		sums_add(&group[CLUSTERS + KINDS], &m->sums[i]);
	}
	for (unsigned s = 0; s < CPUS + GROUPS; s++)
		sums_note_whole(&m->sums[s]);
}

static void
same(double a, double b)
{
	assert_true(isnan(a) ? isnan(b) : a == b);
}

/* How many values there were. */
static unsigned
compare(const struct machine *m, const struct bound *b)
{
	struct members who = { .delta = m->delta,
			       .topology = m->t,
			       .cpus = m->sums,
			       .kinds = m->sums + CPUS + CLUSTERS };
	unsigned n = 0;

	for (unsigned row = 0; row < CPUS + GROUPS; row++) {
		const struct scope scope = scope_at(m->t, row);
		enum value_state state[2];
		unsigned marks[2];

		who.level = scope.level;
		who.index = scope.index;
		double slow = bound_slow_value(b, &m->sums[row], &who,
					       &state[0], &marks[0]);
		double quick = bound_value(b, &m->sums[row], &who, &state[1],
					   &marks[1]);

		same(slow, quick);
		assert_int_equal(state[0], state[1]);
		assert_int_equal(marks[0], marks[1]);
		n += isnan(quick) ? 0 : 1;
	}
	return n;
}

/* How many values the rows had, of how many metrics. */
static unsigned
compare_preset(struct machine *m, const struct catalog *events,
	       const struct preset *p, unsigned *metrics)
{
	struct eventset set;
	unsigned values = 0;
	struct err e;

	if (!preset_derive(p, events, DOMAIN_ALL, &set, &e))
		return 0;
	for (unsigned i = 0; i < CPUS; i++)
		make_delta(m, &m->delta[i], set.len);
	make_sums(m);
	for (unsigned k = 0; k < metric_count; k++) {
		enum value_state why;
		struct bound b;

		if (!bound_make(&b, &metric_table[k], k, &set, events,
				DOMAIN_ALL, &why))
			continue;
		values += compare(m, &b);
		*metrics += 1;
	}
	return values;
}

static void
the_short_way_is_as_the_long_one(void **state)
{
	struct tsv_catalog *events = tsv_load("a14", TSV_ANY);
	struct machine m = { .t = topology_new(KINDS, CLUSTERS, CPUS, NULL),
			     .random = 1 };
	unsigned values = 0, metrics = 0;

	(void)state;
	for (unsigned i = 0; i < CPUS; i++) /* clusters are not in one piece */
		m.t->cpu[i] = (struct topology_cpu){ .id = (int)i,
						     .core = i,
						     .kind = i % CLUSTERS > 2,
						     .cluster = i % CLUSTERS };
	topology_finish(m.t);
	for (unsigned round = 0; round < 20; round++)
		for (unsigned p = 0; p < preset_count; p++)
			values += compare_preset(&m, &events->catalog,
						 &preset_table[p], &metrics);
	assert_true(metrics > 2000 && values > 10000);
	topology_free(m.t);
	free(events);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_short_way_is_as_the_long_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
