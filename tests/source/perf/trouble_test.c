/* Rules of the perf source that no other test would miss. */
#include "source/fake_perf.h"

#include <fcntl.h>

#include "skip.h"

#define SECOND UINT64_C(1000000000)

enum { P_TYPE = 4 };

/* Counts beyond 2^53 keep their last digit; what is scaled says so. */
UNIT(v20_exact)
{
	const uint64_t odd = (UINT64_C(1) << 53) + 1;
	struct rig r;

	rig_start(&r, "alderlake-12900k", NULL);
	rig_second(&r, SECOND);
	r.f->now_ns += 10 * (int64_t)SECOND;
	for (int cpu = 0; cpu < 24; cpu++) {
		fake_times(r.f, cpu, 10 * SECOND, SECOND);
		fake_leader(r.f, cpu)->value += odd;
		r.f->event[fake_leader(r.f, cpu)->member[1]].value += odd;
	}
	rig_read(&r);
	assert_true(r.frame->span[0].cycles == odd);
	assert_true(r.frame->span[0].instructions == odd);
	assert_true(r.frame->span[frame_scope_all(r.frame)].cycles == 24 * odd);
	assert_true(r.frame->span[0].quality & QUALITY_MUX);
	/* No clock is that fast, which is said; the counts stand. */
	assert_int_equal(rig_state(&r, 0, "gips"), VALUE_IMPOSSIBLE);
	rig_close(&r);
}

/* One that is opened again and stands still again is left alone for longer. */
static bool
stands_still(struct fake *f, struct fake_event *e, void *buf, ssize_t *n)
{
	if (e->cpu == 0)
		e->en = e->run = 0;
	return false;
}

UNIT(dead_again_and_again)
{
	struct rig r;
	unsigned opens;

	rig_start(&r, "rk3588", NULL);
	rig_second(&r, SECOND);
	r.f->on_read = stands_still;
	opens = r.f->opens;
	for (int i = 0; i < 120; i++)
		rig_second(&r, SECOND);
	/* Two events each, after 1, 2, 4, 8, 16, 30, 30 ... s. */
	assert_in_range((r.f->opens - opens) / 2, 5, 10);
	assert_true(near(rig_value(&r, 1, "gips"), 1));
	r.f->on_read = NULL;
	for (int i = 0; i < 33; i++)
		rig_second(&r, SECOND);
	assert_true(near(rig_value(&r, 0, "gips"), 1));
	rig_close(&r);
}

/* No core runs at more than 12 GHz: a virtual PMU that lies. */
UNIT(too_fast)
{
	struct rig r;

	rig_start(&r, "alderlake-12900k", NULL);
	rig_second(&r, SECOND);
	r.ticks[0][0] += 100;
	rig_stat(&r);
	rig_second(&r, 20 * SECOND);
	assert_true(r.frame->span[0].quality & QUALITY_APPROX);
	rig_close(&r);
}

/* Counters that others hold: said when it lasts, with how many CPUs. */
UNIT(held_by_others)
{
	struct rig r;

	rig_start(&r, "rk3588", NULL);
	rig_second(&r, SECOND);
	for (int i = 0; i < 4; i++) {
		r.f->now_ns += (int64_t)SECOND;
		for (int cpu = 0; cpu < 8; cpu++)
			fake_times(r.f, cpu, SECOND,
				   cpu == 3 ? SECOND / 2 : SECOND);
		rig_read(&r);
	}
	assert_non_null(strstr(r.s->info.notice,
			       "1 CPU counts only part-time: another"));
	for (int i = 0; i < 4; i++) {
		r.f->now_ns += (int64_t)SECOND;
		for (int cpu = 0; cpu < 8; cpu++)
			fake_times(r.f, cpu, SECOND, cpu < 2 ? 0 : SECOND);
		rig_read(&r);
	}
	assert_non_null(
		strstr(r.s->info.notice, "2 CPUs could not count: another"));
	rig_close(&r);
}

/* Not even the pair of every CPU: what is shown then, and the remedy. */
UNIT(no_files_at_all)
{
	struct rig r;

	rig_prepare(&r, "neoverse-n1-80");
	r.f->soft = 16;
	r.f->hard = 100;
	rig_open(&r);
	assert_int_equal(r.s->info.mode, SOURCE_BUSY_ONLY);
	assert_int_equal(r.s->info.why.code, ERR_NO_PMU);
	assert_non_null(strstr(r.s->info.why.text, "only busy time is shown"));
	assert_non_null(strstr(r.s->info.why.text, "ulimit -Hn"));
	assert_non_null(strstr(r.s->info.why.text, "100"));
	assert_int_equal(r.f->files, 0);
	rig_close(&r);
}

/* What is asked of the real kernel, as far as this one lets us look. */
UNIT(descriptors_end_at_exec)
{
	const struct perf_ops *ops = perf_ops_system();
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CONTEXT_SWITCHES,
		.disabled = 1,
		.exclude_guest = 1,
	};
	int fd = ops->open(ops->self, &attr, 0, -1);

	if (fd < 0)
		skip_because("this kernel lets no event be opened here");
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(ops->ioctl(ops->self, fd, PERF_EVENT_IOC_ENABLE), 0);
	assert_int_equal(ops->close(ops->self, fd), 0);
}

/* An idle CPU's row that nobody read is no hole: all of it comes later. */
UNIT(lazy_loses_nothing)
{
	uint64_t counted = 0;
	struct rig r;

	rig_prepare(&r, "rk3588");
	r.o.lazy = true;
	rig_open(&r);
	rig_second(&r, 1000);
	for (int i = 0; i < 40; i++) {
		for (int cpu = 0; cpu < 8; cpu++)
			r.ticks[cpu][1] += 100;
		rig_stat(&r);
		rig_second(&r, 1000);
		if (span_has_fixed(&r.frame->span[3]))
			counted += r.frame->span[3].cycles;
	}
	r.ticks[3][0] += 100;
	rig_stat(&r);
	rig_second(&r, 1000);
	counted += r.frame->span[3].cycles;
	assert_int_equal(counted, 41 * 1000);
	rig_close(&r);
}
