/* Readings that something came into: the machine was busy, nothing is wrong. */
#include "model/near.h"

enum { MS = 1000000 };

/* A tenth of a second of work, `busy` of its ten ticks. */
static void
pass(struct rig *r, uint64_t cycles, unsigned busy)
{
	rig_pass(r, 100, 0);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_run(r, i, cycles, 2 * cycles);
		r->s->cpu[i].busy += busy;
		r->s->cpu[i].total += 10;
	}
}

static void
open_busy(struct rig *r)
{
	rig_open(r, "a14", NULL, true);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		r->s->cpu[i].busy_known = true;
	pass(r, 100 * MS, 10);
	assert_int_equal(rig_feed(r)->span[RIG_ALL].quality, 0);
	pass(r, 300 * MS, 10);
	assert_int_equal(rig_feed(r)->span[RIG_ALL].quality, 0);
}

/* Ticks read long after the counters are those of other work. */
UNIT(ticks_of_another_time_raise_no_doubt)
{
	struct rig r;

	open_busy(&r);
	pass(&r, 300 * MS, 2);
	r.s->apart_ns = 80 * MS;
	const struct frame *f = rig_feed(&r);

	assert_int_equal(f->span[RIG_ALL].quality, 0);
	assert_int_equal(f->span[0].cycles, 300 * MS);
	assert_true(isnan(span_busy_pct(&f->span[0])));
	assert_true(isnan(rig_value(f, 0, "ghz")));
	assert_value(f, 0, "ipc", 2);
	/* The next one begins where those ticks were read. */
	pass(&r, 300 * MS, 2);
	r.s->apart_ns = 0;
	f = rig_feed(&r);
	assert_int_equal(f->span[RIG_ALL].quality, 0);
	assert_true(isnan(span_busy_pct(&f->span[0])));
	pass(&r, 300 * MS, 10);
	f = rig_feed(&r);
	assert_value(f, 0, "ghz", 3);
	assert_true(near(span_busy_pct(&f->span[0]), 100));
	/* Read together, the same counts are those of a virtual PMU. */
	pass(&r, 300 * MS, 2);
	r.s->apart_ns = 10 * MS;
	f = rig_feed(&r);
	assert_int_equal(f->span[RIG_ALL].quality, QUALITY_APPROX);
	rig_close(&r);
}

/* The clock was looked at late: the time that seems to be is too short. */
UNIT(a_row_of_an_unknown_moment_is_not_off)
{
	struct rig r;

	open_busy(&r);
	pass(&r, 300 * MS, 10);
	rig_pass(&r, 80, 0);
	r.s->cost_ns = 80 * MS;
	assert_int_equal(rig_feed(&r)->span[RIG_ALL].quality, 0);
	rig_pass(&r, -80, 0);
	pass(&r, 300 * MS, 10);
	r.s->cost_ns = 0;
	const struct frame *f = rig_feed(&r);

	/* 15 GHz, were it 20 ms: nothing is made of it. */
	assert_int_equal(f->span[RIG_ALL].quality, QUALITY_STALE);
	assert_int_equal(f->span[RIG_ALL].n_ok, 0);
	pass(&r, 300 * MS, 10);
	f = rig_feed(&r);
	assert_int_equal(f->span[0].quality, QUALITY_CATCHUP);
	assert_int_equal(f->span[0].cycles, 600 * MS);
	/* In a reading that took no time it is no row of ours. */
	pass(&r, 3000 * (uint64_t)MS, 10);
	assert_int_equal(rig_feed(&r)->span[RIG_ALL].quality, QUALITY_OFF);
	rig_close(&r);
}
