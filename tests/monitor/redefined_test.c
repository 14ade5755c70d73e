/* A metric that becomes another one: nothing of the old is the new one's. */
#include "model/rig.h"

#include <stdlib.h>

#include <cmocka.h>

static struct metric
rate_of(const char *event)
{
	return (struct metric){ .name = "rate",
				.label = "rate",
				.text = "",
				.unit = UNIT_PER_S,
				.scale = 1e9,
				.num = { { event, 1 } },
				.den = { { METRIC_EVENT_NS, 1 } },
				.event = true };
}

struct bench {
	struct rig r;
	struct metric rate; /* the monitor's only extra metric */
	unsigned at;
};

static void
open_bench(struct bench *b)
{
	struct err e;

	rig_open(&b->r, "a14", "branch", false);
	monitor_free(b->r.m);
	b->rate = rate_of("INST_ALL");
	b->at = metric_count;
	b->r.m = monitor_new(
		b->r.t,
		&(struct monitor_options){ .period_ns = 1000000000,
					   .catalog = &b->r.events->catalog,
					   .extra_metrics = &b->rate,
					   .nextra = 1 },
		&e);
	assert_non_null(b->r.m);
	assert_null(rig_feed(&b->r));
}

static const struct frame *
second(struct bench *b)
{
	rig_work(&b->r);
	for (unsigned i = 0; i < RIG_CPUS; i++) {
		rig_count(&b->r, i, "INST_ALL", 1000);
		rig_count(&b->r, i, "INST_BRANCH", 30);
	}
	return rig_feed(&b->r);
}

UNIT(test_the_old_values_are_gone_and_the_new_ones_come)
{
	struct bench b;
	float past[4];
	double age;

	open_bench(&b);
	assert_float_equal(frame_value(second(&b), 0, b.at), 1000, 0.5);
	assert_true(history_means(monitor_past(b.r.m), 0, b.at));
	b.rate = rate_of("INST_BRANCH");
	monitor_redefined(b.r.m, b.at);
	assert_true(isnan(monitor_last(b.r.m, 0, b.at, &age)));
	assert_false(history_means(monitor_past(b.r.m), 0, b.at));
	assert_int_equal(monitor_history(b.r.m, 0, b.at, 4, past), 1);
	assert_true(isnan(past[0]));

	const struct frame *f = second(&b);

	assert_float_equal(frame_value(f, 0, b.at), 30, 0.05);
	assert_float_equal(frame_value(f, RIG_ALL, b.at), 120, 0.05);
	/* The set is the same: its slots went on without a gap. */
	assert_int_equal(f->quality & QUALITY_SWAP, 0);
	assert_int_equal(monitor_history(b.r.m, 0, b.at, 4, past), 2);
	assert_true(isnan(past[0]));
	assert_float_equal(past[1], 30, 0.05);
	assert_true(history_means(monitor_past(b.r.m), 0, b.at));
	assert_false(history_means(monitor_past(b.r.m), 1, b.at));
	rig_close(&b.r);
}

UNIT(test_the_frame_that_stands_loses_it_at_once)
{
	struct bench b;

	open_bench(&b);
	const struct frame *f = second(&b);

	b.rate = rate_of("L2_TLB_MISS_DATA");
	monitor_redefined(b.r.m, b.at);
	assert_true(isnan(frame_value(f, 2, b.at)));
	assert_int_equal(frame_state(f, 2, b.at), VALUE_NOT_COUNTED);
	assert_true(!isnan(rig_value(f, 2, "ipc")));
	assert_true(isnan(frame_value(second(&b), 2, b.at)));
	rig_close(&b.r);
}

UNIT(test_an_earlier_frame_comes_back_without_it)
{
	struct bench b;
	struct span span[RIG_ALL + 1];

	open_bench(&b);
	second(&b);
	b.rate = rate_of("INST_BRANCH");
	monitor_redefined(b.r.m, b.at);
	struct frame then = *second(&b);
	size_t cells = (size_t)then.nscopes * then.nmetrics;
	double *value = calloc(cells, sizeof *value);
	uint8_t *states = calloc(cells, 1);

	assert_non_null(value);
	assert_non_null(states);
	assert_true(history_then(monitor_past(b.r.m), 1, &then,
				 &(struct history_rows){ .span = span,
							 .value = value,
							 .state = states }));
	assert_true(isnan(frame_value(&then, 0, b.at)));
	assert_int_equal(frame_state(&then, 0, b.at), VALUE_NOT_COUNTED);
	assert_true(!isnan(rig_value(&then, 0, "ipc")));
	assert_ptr_equal(history_set(monitor_past(b.r.m), 1),
			 history_set(monitor_past(b.r.m), 0));
	assert_null(history_set(monitor_past(b.r.m), 2));
	free(value);
	free(states);
	rig_close(&b.r);
}
