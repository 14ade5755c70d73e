/* A machine that is read again: frames go on, and a CPU that was away. */
#include "model/rig.h"

#include <cmocka.h>

static bool
near(double a, double b)
{
	return fabs(a - b) < 1e-9;
}

UNIT(numbers_and_times_go_on)
{
	struct rig r;
	struct err e;
	const struct frame *f;

	rig_open(&r, "a14", NULL, false);
	for (int i = 0; i < 3; i++) {
		rig_work(&r);
		f = rig_feed(&r);
	}
	assert_int_equal(f->seq, 2);
	struct monitor *before = r.m;
	struct topology *t = topology_copy(r.t, &e);

	assert_non_null(t);
	r.m = monitor_new(t, &(struct monitor_options){ 0 }, &e);
	assert_non_null(r.m);
	rig_pass(&r, 10, 0);
	assert_null(rig_feed(&r)); /* its first reading */
	monitor_go_on(r.m, before);
	monitor_free(before);
	rig_work(&r);
	f = rig_feed(&r);
	assert_int_equal(f->seq, 3);
	assert_true(near(f->elapsed_s, 4.01));
	assert_true(near(f->interval_s, 1));
	assert_int_equal(f->quality, QUALITY_GAP);
	assert_true(near(rig_value(f, 0, "ipc"), 1.5));
	rig_work(&r);
	f = rig_feed(&r);
	assert_int_equal(f->seq, 4);
	assert_int_equal(f->quality, 0);
	rig_close(&r);
	topology_free(t);
}

/* Before the first frame there is no number to go on from. */
UNIT(at_once)
{
	struct rig r;
	struct err e;

	rig_open(&r, "a14", NULL, false);
	struct monitor *before = r.m;

	r.m = monitor_new(r.t, &(struct monitor_options){ 0 }, &e);
	assert_non_null(r.m);
	assert_null(rig_feed(&r));
	monitor_go_on(r.m, before);
	monitor_free(before);
	rig_work(&r);
	assert_int_equal(rig_feed(&r)->seq, 0);
	rig_close(&r);
}

/* One that was off line counts since it came back, not since it went. */
UNIT(back_on_line)
{
	struct rig r;
	const struct frame *f;

	rig_open(&r, "a14", NULL, false);
	for (unsigned i = 0; i < RIG_CPUS; i++)
		for (unsigned k = 0; k < FIXED_COUNT; k++)
			r.s->cpu[i].fixed[k].enabled_ns =
				r.s->cpu[i].fixed[k].running_ns = 1;
	for (int i = 0; i < 4; i++) {
		bool off = i == 1 || i == 2;

		r.s->cpu[0].state = off ? CPU_OFF : CPU_DELIVERED;
		rig_pass(&r, 1000, 0);
		for (unsigned c = 0; c < RIG_CPUS; c++) {
			/* In the last second it is back for a fifth of it. */
			uint64_t ms = c > 0 || i == 0 ? 1000 : off ? 0 : 200;

			rig_run(&r, c, ms * 2000000, ms * 3000000);
			for (unsigned k = 0; k < FIXED_COUNT; k++) {
				r.s->cpu[c].fixed[k].enabled_ns += ms * 1000000;
				r.s->cpu[c].fixed[k].running_ns += ms * 1000000;
			}
		}
		f = rig_feed(&r);
	}
	assert_true(f->span[0].quality & QUALITY_CATCHUP);
	assert_true(near(span_interval_s(&f->span[0]), 0.2));
	assert_true(near(rig_value(f, 0, "gips"), 3));
	assert_true(near(span_interval_s(&f->span[1]), 1));
	rig_close(&r);
}
