/* Energy, traffic and clocks of the simulated Mac, read as a real one's. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "power/ioreport.h"
#include "sim/ioreport.h"
#include "sim/sim.h"

#define SECOND INT64_C(1000000000)

static struct power_source *source;
static struct power_track track[POWER_RAILS];
static unsigned ended; /* spans, in all polls */

static int
stop(void **state)
{
	if (source != NULL)
		source->ops->close(source);
	source = NULL;
	sim_ioreport_stop();
	sim_stop();
	return 0;
}

static void
start(const char *spec)
{
	struct err e;
	char text[200];

	(void)stop(NULL);
	snprintf(text, sizeof text, "%s%s,clock=step", spec,
		 strstr(spec, "power=") != NULL ? "" : ",power=os");
	if (!sim_start(text, &e))
		fail_msg("%s: %s", text, e.text);
	memset(track, 0, sizeof track);
	ended = 0;
	source = ioreport_open(sim_ioreport(), &e);
}

static int64_t
now(void)
{
	return clock_awake_ns(&sim_host()->clock);
}

/* A poll each second for so long. */
static void
pass(unsigned seconds)
{
	const struct clock *c = &sim_host()->clock;
	struct power_update update[POWER_RAILS];

	for (unsigned i = 0; i <= seconds; i++) {
		ended += power_poll(source, track, now(), update);
		if (i < seconds)
			c->step(c->self, now() + SECOND);
	}
}

static const struct power_span *
span_of(enum power_what what, char letter, int die, int nth)
{
	for (unsigned i = 0; source != NULL && i < source->nrails; i++) {
		const struct power_rail *r = &source->rail[i];

		if (r->what == what && r->letter == letter && r->die == die &&
		    r->nth == nth)
			return &track[i].span;
	}
	return NULL;
}

static double
sum(enum power_what what)
{
	double joules = 0;

	for (unsigned i = 0; i < source->nrails; i++)
		if (source->rail[i].what == what)
			joules += track[i].span.amount;
	return joules;
}

static double
cycles(unsigned first, unsigned n, int64_t from, int64_t to)
{
	uint64_t all = 0;

	for (unsigned c = first; c < first + n; c++)
		all += sim_total(c, "CORE_ACTIVE_CYCLE", true, to) -
		       sim_total(c, "CORE_ACTIVE_CYCLE", true, from);
	return (double)all;
}

/* docs/SIMULATION.md: 900 pJ a cycle and 40 mW for each CPU that is on. */
UNIT(energy_is_that_of_the_counted_cycles)
{
	start("m1");
	pass(20);
	const struct power_span *p = span_of(POWER_CLUSTER, 'P', -1, 0);

	assert_non_null(p);
	assert_true(p->end_ns - p->begin_ns == SECOND);
	double joules =
		cycles(4, 4, p->begin_ns, p->end_ns) * 900e-12 + 4 * 0.040;

	/* Rails count in mJ. */
	assert_true(fabs(p->amount - joules) < 0.002);
}

UNIT(clusters_add_up_to_the_total_on_every_machine)
{
	static const char *const machine[] = {
		"m1",    "m1max",       "m3ultra",
		"m4max", "m5max,os=26", "m5ultra,power=sample"
	};

	for (unsigned i = 0; i < sizeof machine / sizeof machine[0]; i++) {
		start(machine[i]);
		pass(5);
		assert_true(sum(POWER_CPU) > 0.1);
		assert_true(fabs(sum(POWER_CLUSTER) - sum(POWER_CPU)) <
			    0.002 * 8);
	}
}

/* What other readers of these names got was three times as much. */
UNIT(names_like_a_cluster_are_not_added)
{
	start("m5max,os=26");
	pass(2);
	unsigned clusters = 0;

	for (unsigned i = 0; i < source->nrails; i++)
		clusters += source->rail[i].what == POWER_CLUSTER;
	assert_int_equal(clusters, 3);
	assert_non_null(span_of(POWER_CLUSTER, 'M', -1, 0));
	assert_non_null(span_of(POWER_CLUSTER, 'M', -1, 1));
	assert_non_null(span_of(POWER_CLUSTER, 'P', -1, 0));
}

UNIT(an_hour_loses_nothing)
{
	const struct clock *c = &sim_host()->clock;
	struct power_update update[POWER_RAILS];
	double joules = 0;

	start("m1max,power=2s");
	c = &sim_host()->clock;
	int64_t from = 0, to = 0;

	for (unsigned i = 0; i < 3600; i++) {
		unsigned n = power_poll(source, track, now(), update);

		for (unsigned k = 0; k < n; k++) {
			const struct power_rail *r =
				&source->rail[update[k].rail];

			if (r->what != POWER_CLUSTER || r->letter != 'P' ||
			    r->nth != 1)
				continue;
			if (from == 0)
				from = update[k].span.begin_ns;
			assert_true(to == 0 || update[k].span.begin_ns == to);
			to = update[k].span.end_ns;
			joules += update[k].span.amount;
		}
		c->step(c->self, now() + SECOND);
	}
	double model = cycles(6, 4, from, to) * 900e-12 +
		       4 * 0.040 * (double)(to - from) * 1e-9;

	assert_true(to - from > 3590 * SECOND);
	assert_true(fabs(joules / model - 1) < 0.001);
}

UNIT(published_every_2_seconds_and_a_tail)
{
	start("m5max,os=27");
	pass(60);
	const struct power_span *p = span_of(POWER_CLUSTER, 'P', -1, 0);
	double s = power_span_s(p);

	assert_true(s > 2.05 && s < 2.15);
	assert_false(p->stale);
}

UNIT(published_each_half_hour_or_never)
{
	start("m5ultra");
	pass(3601);
	const struct power_span *p = span_of(POWER_CLUSTER, 'P', 0, 0);

	assert_true(power_span_s(p) > 1790);
	assert_false(p->stale);
	start("m3,os=27");
	pass(60);
	p = span_of(POWER_CLUSTER, 'P', -1, 0);
	assert_true(p == NULL || p->end_ns == 0);
}

/* The requested clock is cycles over busy time where nothing throttles. */
UNIT(clock_is_the_clock_of_the_cycles)
{
	start("m4");
	pass(10);
	const struct power_span *p = span_of(POWER_CLOCK, 'P', -1, 0);

	assert_non_null(p);
	double ghz = p->amount / p->weight * 1e-9;

	assert_true(ghz > 0.8 && ghz < 4.47);
	double busy_cycles = cycles(6, 4, p->begin_ns, p->end_ns);

	/* Of four CPUs; the residency is their mean. */
	assert_true(fabs(busy_cycles / 4 / p->amount - 1) < 0.01);
	start("m4,power=throttle");
	pass(10);
	p = span_of(POWER_CLOCK, 'P', -1, 0);
	assert_true(p->amount / p->weight * 1e-9 > ghz * 1.05);
}

/* Mean of the levels that were read: heavy is 2, from 10 s on. */
UNIT(thermal_pressure_is_a_level_over_time)
{
	start("m1,power=os+hot");
	pass(9);
	const struct power_span *p = span_of(POWER_HEAT, 0, -1, 0);

	assert_non_null(p);
	assert_true(p->end_ns > 0 && p->amount == 0);
	pass(3);
	assert_true(fabs(p->amount / power_span_s(p) - 2) < 1e-9);
	start("m1,power=os+throttle"); /* stands at nominal all the same */
	pass(15);
	assert_true(span_of(POWER_HEAT, 0, -1, 0)->amount == 0);
	start("m1,power=os+noheat");
	assert_null(span_of(POWER_HEAT, 0, -1, 0));
}

UNIT(traffic_has_three_layouts)
{
	start("m1,work=memory");
	pass(5);
	const struct power_span *read = span_of(POWER_READ, 0, -1, 0);

	assert_non_null(read);
	double exact = (sum(POWER_READ) + sum(POWER_WRITE)) * 1e-9;

	assert_true(exact > 5 && exact < 100);
	start("m1,work=memory,power=denied");
	pass(5);
	assert_null(span_of(POWER_READ, 0, -1, 0));
	const struct power_span *p = span_of(POWER_TRAFFIC, 'P', -1, 0);

	assert_non_null(p);
	double gbs = p->amount / p->weight * 1e-9;

	assert_true(gbs > exact / 4 && gbs < exact + 2);
	start("m1,power=denied+saturated+pmp0");
	pass(5);
	p = span_of(POWER_TRAFFIC, 'P', -1, 0);
	assert_true((p->marks & POWER_AT_LEAST) != 0);
	start("neo");
	pass(5);
	assert_non_null(span_of(POWER_READ, 0, -1, 3));
	assert_null(span_of(POWER_CLUSTER, 'P', -1, 0));
	assert_true(source->no_energy[0] != '\0');
}

UNIT(what_is_odd_gives_no_wrong_number)
{
	start("m1,power=nothing");
	pass(3);
	assert_true(span_of(POWER_READ, 0, -1, 0)->end_ns == 0);
	start("m1,power=falls");
	pass(3);
	pass(1); /* the fall is a new beginning */
	pass(3);
	assert_true(sum(POWER_CLUSTER) >= 0);
	start("m1,power=nosample");
	pass(6);
	assert_true(sum(POWER_CPU) > 0);
	start("m1,power=nototal");
	pass(3);
	assert_null(span_of(POWER_CPU, 0, -1, 0));
	assert_true(sum(POWER_CLUSTER) > 0);
	start("m1,power=unknown+denied");
	assert_null(span_of(POWER_CLUSTER, 'P', -1, 0));
	for (unsigned i = 0; i < 3; i++) {
		static const char *const word[] = { "time0", "frozen",
						    "future" };
		char spec[64];

		snprintf(spec, sizeof spec, "m1,power=%s", word[i]);
		start(spec);
		pass(5);
		const struct power_span *p = span_of(POWER_CLUSTER, 'P', -1, 0);

		assert_true((p->marks & POWER_OWN_CLOCK) != 0);
		assert_true(power_span_s(p) > 0.9 && power_span_s(p) < 1.1);
	}
}

UNIT(nothing_is_leaked)
{
	FILE *out = fopen("/dev/null", "w");

	start("m5ultra");
	pass(10);
	assert_non_null(out);
	source->ops->describe(source, out);
	fclose(out);
	source->ops->close(source);
	source = NULL;
	assert_int_equal(sim_ioreport_objects(), 0);
}

UNIT(a_machine_without_it_says_so)
{
	struct err e;

	start("intel");
	assert_null(source);
	assert_null(ioreport_open(sim_ioreport(), &e));
	assert_string_equal(e.text,
			    "this macOS publishes no energy, traffic or clock");
}

UNITS_IN(NULL, stop)
