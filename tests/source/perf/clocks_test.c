/* Busy time and clock by the CPUs' own clocks, where ticks are too coarse. */
#include "source/fake_perf.h"

enum { MSR = 8, TSC = 0, MPERF = 2, CPUS = 32, MS = 1000000 };

static const double tsc_ghz = 4.5, ghz = 2;

/* The msr PMU takes no exclude bit, the others take no guests. */
static int
as_the_kernel(struct fake *f, const struct perf_event_attr *attr, int cpu,
	      int leader)
{
	if (attr->type == MSR)
		return attr->exclude_guest || attr->exclude_kernel ? EINVAL : 0;
	assert_true(attr->exclude_guest);
	return 0;
}

static void
begin(struct rig *r, bool lazy)
{
	rig_prepare(r, "zen4-7950x");
	r->f->refuse = as_the_kernel;
	r->f->ops.msr = true;
	r->o.lazy = lazy;
	rig_open(r);
	assert_true(rig_program(r, "basic"));
}

/* So much of the time a CPU runs, at 2 GHz; its ticks come as they may. */
static void
step(struct rig *r, int64_t ns, double busy, unsigned ticks)
{
	r->f->now_ns += ns;
	for (struct fake_event *e = fake_next(r->f, NULL); e != NULL;
	     e = fake_next(r->f, e)) {
		double per_ns =
			e->attr.type == MSR
				? tsc_ghz * (e->attr.config == TSC ? 1 : busy)
				: ghz * busy;

		if (r->f->event[e->leader].torn)
			continue;
		e->value += (uint64_t)(per_ns * (double)ns);
		e->en += (uint64_t)ns;
		e->run += (uint64_t)ns;
	}
	for (unsigned i = 0; i < CPUS; i++) {
		r->ticks[i][0] += ticks;
		r->ticks[i][1] += (unsigned)(ns / 10 / MS) - ticks;
	}
	rig_stat(r);
	rig_read(r);
}

static void
is_busy(const struct rig *r, unsigned row, double share)
{
	double pct = span_busy_pct(&r->frame->span[row]);

	if (!(fabs(pct - 100 * share) < 0.01))
		fail_msg("row %u: %g%% busy, not %g%%", row, pct, 100 * share);
}

UNIT(ticks_do_not_blur_the_clock)
{
	unsigned all;
	struct rig r;

	begin(&r, false);
	step(&r, 200 * MS, 0.5, 10);
	for (unsigned ticks = 7; ticks <= 14; ticks++) {
		step(&r, 200 * MS, 0.5, ticks);
		all = frame_scope_all(r.frame);
		is_busy(&r, 0, 0.5);
		is_busy(&r, all, 0.5);
		assert_true(fabs(rig_value(&r, 0, "ghz") - ghz) < 1e-3);
		assert_true(fabs(rig_value(&r, all, "ghz") - ghz) < 1e-3);
		assert_false(span_busy_rough(&r.frame->span[0]));
	}
	rig_close(&r);
}

/* The same unit, whether the clocks are there or not. */
UNIT(clocks_that_go_and_come)
{
	struct rig r;

	begin(&r, false);
	step(&r, 1000 * MS, 0.5, 50);
	step(&r, 1000 * MS, 0.5, 50);
	is_busy(&r, 0, 0.5);
	fake_find(r.f, 0, MSR, TSC)->torn = true; /* its CPU was off line */
	for (int i = 0; i < 2; i++) { /* it is opened again, and has nothing */
		step(&r, 1000 * MS, 0.25, 30);
		is_busy(&r, 0, 0.30);
		is_busy(&r, 1, 0.25);
		assert_int_equal(span_busy_rough(&r.frame->span[0]), false);
	}
	step(&r, 200 * MS, 0.25, 3);
	is_busy(&r, 0, 0.25);
	/* Given back and taken again: other counters than the clocks'. */
	assert_true(r.s->ops->program(r.s, NULL, &r.e));
	rig_read(&r);
	step(&r, 200 * MS, 0.75, 3);
	is_busy(&r, 0, 0.75);
	assert_true(rig_program(&r, "branch"));
	step(&r, 200 * MS, 0.75, 3);
	is_busy(&r, 0, 0.75);
	rig_close(&r);
}

UNIT(where_there_are_none_ticks_tell)
{
	for (int way = 0; way < 3; way++) {
		char path[128];
		struct rig r;

		rig_prepare(&r, "zen4-7950x");
		r.f->ops.msr = way != 0;
		r.o.lazy = way == 1; /* who lets CPUs sleep does not ask them */
		if (way == 2) {      /* a virtual machine has the TSC alone */
			snprintf(path, sizeof(path),
				 "%s/sys/devices/msr/events/mperf", r.root);
			assert_int_equal(unlink(path), 0);
		}
		rig_open(&r);
		assert_null(fake_find(r.f, 0, MSR, TSC));
		assert_true(rig_program(&r, "basic"));
		step(&r, 200 * MS, 0.5, 10);
		step(&r, 200 * MS, 0.5, 7);
		is_busy(&r, 0, 0.35);
		assert_true(span_busy_rough(&r.frame->span[0]));
		rig_close(&r);
	}
}
