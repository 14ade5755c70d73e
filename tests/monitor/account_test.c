/* What frames add up to: counts once, busy time once, whatever came when. */
#include "monitor/account.h"

#include <math.h>

#include <cmocka.h>

#include "model/near.h"
#include "out/frames.h"
#include "model/spans.h"

enum { CLUSTER_E = FRAMES_CPUS, ALL = FRAMES_SCOPES - 1 };

/* All CPUs: without counts, as in a machine without a PMU. */
static void
without_counts(struct frames *f)
{
	for (unsigned i = 0; i < FRAMES_SCOPES; i++) {
		f->span[i].n_ok = 0;
		span_put_event(&f->span[i], 0);
	}
}

UNIT(busy_time_needs_no_counters)
{
	struct frames *f = frames_new();
	struct account a;

	assert_true(account_init_rows(&a, f->topology));
	without_counts(f);
	for (unsigned i = 0; i < 4; i++)
		account_add(&a, &f->frame);
	assert_int_equal(a.row[0].frames, 0);
	assert_float_equal(a.row[0].busy.seen, 4.0, 1e-9);
	assert_float_equal(a.row[0].busy.busy, 0.5, 1e-9);
	assert_float_equal(a.row[CLUSTER_E].busy.busy, 2.0, 1e-9);
	assert_float_equal(a.row[ALL].busy.busy, 4.0, 1e-9);
	account_free(&a);
	frames_free(f);
}

/* Two frames without counts of CPU 0; the third says again how busy it was. */
UNIT(what_catches_up_is_not_counted_twice)
{
	struct frames *f = frames_new();
	struct span *cpu = &f->span[0];
	struct account a;

	assert_true(account_init_rows(&a, f->topology));
	cpu->n_ok = 0;
	account_add(&a, &f->frame);
	account_add(&a, &f->frame);
	assert_float_equal(a.row[0].busy.seen, 2.0, 1e-9);
	cpu->n_ok = 1;
	span_put_interval(cpu, 3.0);
	account_add(&a, &f->frame);
	assert_float_equal(a.row[0].busy.seen, 3.0, 1e-9);
	assert_float_equal(a.row[0].busy.busy, 0.375, 1e-9);
	assert_float_equal(span_interval_s(&a.row[0].span), 3.0, 1e-9);
	assert_float_equal(a.row[CLUSTER_E].busy.seen, 12.0, 1e-9);
	assert_float_equal(a.row[ALL].busy.busy, 3.0, 1e-9);
	account_free(&a);
	frames_free(f);
}

/*
 * Two frames without counts, busy and then idle; what catches up is of the
 * second alone, and idle, so that less is known to be busy than before. A
 * counter of Prometheus must not fall then: it would be taken for a new start.
 */
UNIT(a_counter_of_busy_time_never_falls)
{
	struct account_busy b = { .seen = 0 };

	account_busy_add(&b, 1, 1, false, 1);
	account_busy_add(&b, 1, 0, false, 1);
	account_busy_add(&b, 2, 0, true, 1);
	assert_float_equal(b.seen, 3.0, 1e-9);
	assert_float_equal(b.busy, 0.5, 1e-9);
	assert_float_equal(b.most, 1.0, 1e-9);
}

UNIT(no_order_of_frames_makes_it_fall)
{
	struct frames *f = frames_new();
	struct span *cpu = &f->span[0];
	uint32_t dice = 1;
	struct account a;

	assert_true(account_init_rows(&a, f->topology));
	for (unsigned i = 0; i < 20000; i++) {
		double own = a.row[0].busy.most, all = a.row[ALL].busy.most;

		dice = dice * 1664525u + 1013904223u;
		bool counts = dice >> 30 == 0;

		*cpu = span_make(counts, counts ? 1 + (dice >> 28 & 3) : 1,
				 (dice >> 8 & 15) * 100.0 / 15);
		account_add(&a, &f->frame);
		assert_true(a.row[0].busy.most >= own);
		assert_true(a.row[ALL].busy.most >= all);
		assert_true(a.row[ALL].busy.most >= a.row[ALL].busy.busy);
	}
	account_free(&a);
	frames_free(f);
}

/* Busy time without counts is none of the cycles': the clock would sink. */
UNIT(the_clock_is_of_the_time_that_was_counted)
{
	struct frames *f = frames_new();
	struct account a;

	assert_true(account_init_rows(&a, f->topology));
	account_add(&a, &f->frame);
	without_counts(f);
	for (unsigned i = 0; i < 3; i++)
		account_add(&a, &f->frame);
	assert_float_equal(a.row[0].busy.busy, 0.5, 1e-9);
	assert_true(near(a.row[0].span.busy_ns, 0.125e9));
	assert_true(near(a.row[CLUSTER_E].span.busy_ns, 0.5e9));
	assert_true(near(a.row[ALL].span.busy_ns, 1.0e9));
	account_free(&a);
	frames_free(f);
}

UNIT(more_events_than_fit_are_left_out)
{
	struct frames *f = frames_new();
	struct account t;
	char name[16];

	assert_true(account_init(&t, f->topology));
	f->set.len = 1;
	for (unsigned i = 0; i < ACCOUNT_EVENTS + 20; i++) {
		(void)snprintf(name, sizeof name, "EVENT_%u", i);
		f->event[0].name = name;
		account_add(&t, &f->frame);
	}
	assert_int_equal(t.nevents, ACCOUNT_EVENTS);
	assert_string_equal(t.event[ACCOUNT_EVENTS - 1].name, "EVENT_127");
	account_free(&t);
	frames_free(f);
}

/* A word is of its frame's time; what is lost, of the time of the cycles. */
UNIT(bottlenecks_are_of_their_time)
{
	static struct bottleneck bottleneck[FRAMES_SCOPES];
	struct frames *f = frames_new();
	struct account a;

	assert_true(account_init_rows(&a, f->topology));
	account_add(&a, &f->frame); /* without any */
	assert_true(
		isnan(account_bottleneck_pct(&a.row[0], BOTTLENECK_MEMORY)));
	assert_false(a.row[ALL].bottlenecks.lost_any);
	f->frame.bottleneck = bottleneck;
	for (unsigned i = 0; i < FRAMES_SCOPES; i++)
		bottleneck[i] = (struct bottleneck){ .word = BOTTLENECK_OFF,
						     .impact = NAN };
	f->frame.interval_s = 3;
	account_add(&a, &f->frame);
	assert_false(a.row[0].bottlenecks.lost_any);
	f->frame.interval_s = 1;
	span_put_interval(&f->span[0], 4); /* it catches up */
	bottleneck[0] =
		(struct bottleneck){ .word = BOTTLENECK_MEMORY, .impact = 1.5 };
	bottleneck[1] =
		(struct bottleneck){ .word = BOTTLENECK_IDLE, .impact = 0 };
	account_add(&a, &f->frame);
	assert_float_equal(account_bottleneck_pct(&a.row[0], BOTTLENECK_MEMORY),
			   25, 1e-9);
	assert_float_equal(account_bottleneck_pct(&a.row[0], BOTTLENECK_OFF),
			   75, 1e-9);
	assert_int_equal(a.row[0].bottlenecks.frames[BOTTLENECK_OFF], 1);
	assert_float_equal(a.row[0].bottlenecks.lost, 6, 1e-9);
	assert_true(a.row[1].bottlenecks.lost_any);
	assert_float_equal(a.row[1].bottlenecks.lost, 0, 1e-9);
	assert_false(a.row[2].bottlenecks.lost_any);
	assert_float_equal(a.row[CLUSTER_E].bottlenecks.lost, 6, 1e-9);
	assert_float_equal(a.row[ALL].bottlenecks.lost, 6, 1e-9);
	assert_false(a.row[CLUSTER_E + 1].bottlenecks.lost_any);
	account_free(&a);
	frames_free(f);
}
