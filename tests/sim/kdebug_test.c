/* kdebug: its sysctl, errno by errno, and its ring. */
#include "sim/tracing.h"

#define M "m1,os=15.5,clock=step"

static struct sim_record *
room(size_t n)
{
	struct sim_record *r = calloc(n, sizeof(*r));

	assert_non_null(r);
	return r;
}

/* A tracepoint passes on a CPU. */
static void
point(struct world *w, uint32_t debugid, unsigned cpu, uint64_t arg)
{
	struct sim_record r = {
		.debugid = debugid, .cpu = cpu, .thread = 9, .arg = { arg }
	};

	sim_kd_emit(&w->k, w->state.time.awake_ns, &r);
}

static void
points(struct world *w, uint32_t debugid, unsigned cpu, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		point(w, debugid, cpu, i);
}

static struct world *
tracing(const char *spec, int events)
{
	struct world *w = world_new(spec);

	OK(kd_value(w, &w->a, SETBUF, events));
	OK(kd_op(w, &w->a, SETUP));
	OK(kd_value(w, &w->a, ENABLE, 1));
	return w;
}

UNIT(what_is_no_call)
{
	struct world *w = world_new(M);
	int two[] = { 1, 24 }, three[] = { 1, 24, ENABLE };
	int unknown[] = { 1, 24, 99 };
	struct info i;
	size_t size = sizeof(i);

	assert_int_equal(
		sim_kernel_kdebug(&w->k, &w->a, two, 2, NULL, NULL, NULL),
		ENOTSUP);
	owned(w, 0, 0, 0);
	assert_int_equal(
		sim_kernel_kdebug(&w->k, &w->a, three, 3, NULL, NULL, NULL),
		EINVAL);
	owned(w, 0, 0, 0);
	int mib[] = { 1, 24, GETBUF };
	assert_int_equal(sim_kernel_kdebug(&w->k, &w->a, mib, 3, &i, &size, &i),
			 EPERM);
	/* what is unknown makes the owner all the same */
	assert_int_equal(
		sim_kernel_kdebug(&w->k, &w->a, unknown, 3, NULL, NULL, NULL),
		ENOTSUP);
	owned(w, 100, 1, 1);
}

UNIT(rights)
{
	struct world *w = world_new(M);
	struct info i;
	size_t size = sizeof(i);

	assert_int_equal(kd_op(w, &w->user, REMOVE), EPERM);
	assert_int_equal(kd(w, &w->user, GETBUF, &i, &size), EPERM);
	OK(kd_value(w, &w->a, DFLAGS, 0));
	owned(w, 100, 1, 1);
	assert_int_equal(kd_op(w, &w->user, REMOVE), EBUSY);
	assert_int_equal(kd(w, &w->user, GETBUF, &i, &size), EPERM);
	assert_int_equal(kd_value(w, &w->b, ENABLE, 0), EBUSY);
	assert_int_equal(kd_info(w, &w->b).bufid, 100);
	/* one part goes, the other holds the right */
	OK(set32(w, &w->a, "kperf.reset", 1));
	owned(w, 100, 1, 1);
}

UNIT(taking_and_leaving)
{
	struct world *w = world_new(M);
	int64_t before = w->state.time.awake_ns;

	OK(kd_op(w, &w->a, REMOVE));
	assert_int_equal(w->state.time.awake_ns - before, 100000000);
	owned(w, 0, 0, 0);
	assert_int_equal(kd_info(w, &w->a).bufid, -1);
	OK(set32(w, &w->a, "kperf.action.count", 32));
	owned(w, 100, 1, 2);
	OK(kd_op(w, &w->a, REMOVE));
	owned(w, 100, 1, 2);
	OK(set32(w, &w->a, "kperf.reset", 1));
	owned(w, 0, 0, 0);
}

UNIT(setting_up)
{
	struct world *w = world_new(M);
	struct info i;
	int64_t before;

	assert_int_equal(kd_value(w, &w->a, ENABLE, 1), EINVAL);
	OK(kd_value(w, &w->a, SETBUF, 1000000));
	assert_int_equal(kd_info(w, &w->a).nkdbufs, 1000000);
	before = w->state.time.awake_ns;
	OK(kd_op(w, &w->a, SETUP));
	assert_int_equal(w->state.time.awake_ns - before, 100000000);
	i = kd_info(w, &w->a);
	assert_int_equal(i.nkdbufs, 999424);
	assert_int_equal(i.nolog, 1);
	assert_int_equal(i.flags, 0x80000100);
	OK(kd_only(w, &w->a, DATA_THREAD));
	assert_int_equal(kd_value(w, &w->a, ENABLE, 2), EINVAL);
	OK(kd_value(w, &w->a, ENABLE, 1));
	i = kd_info(w, &w->a);
	assert_int_equal(i.flags, 0x80200120);
	assert_int_equal(i.nolog, 0);
	assert_int_equal(i.bufid, 100);
	OK(kd_value(w, &w->a, ENABLE, 0));
	OK(kd_value(w, &w->a, ENABLE, 0));
	/* so many at least: 8 CPUs and 16 that might come */
	OK(kd_value(w, &w->a, SETBUF, 1000));
	OK(kd_op(w, &w->a, SETUP));
	assert_int_equal(kd_info(w, &w->a).nkdbufs, 196608);
	OK(kd_value(w, &w->a, EFLAGS, 0x200 | 0x10000));
	assert_int_equal(kd_info(w, &w->a).flags & 0x10200, 0x200);
}

UNIT(filters)
{
	struct world *w = tracing(M, 0);
	struct sim_record out[16];
	uint32_t reg[5] = { VALCHECK, DATA_THREAD };
	uint8_t types[8192] = { 0 };
	size_t size = 16;

	assert_int_equal(kd(w, &w->a, SETREG, reg, &size), EINVAL);
	size = sizeof(reg);
	reg[0] = 0;
	assert_int_equal(kd(w, &w->a, SETREG, reg, &size), EINVAL);
	assert_int_equal(kd(w, &w->a, GETREG, reg, &size), EINVAL);
	OK(kd_only(w, &w->a, DATA_THREAD));
	points(w, DATA_THREAD | 1, 0, 2);
	point(w, DATA_THREAD + 4, 0, 0);
	point(w, 0x07000004, 0, 0);
	assert_int_equal(kd_read(w, &w->a, out, 16), 2);
	/* a class from v1 on and before v2: the same twice is nothing */
	uint32_t perf[5] = { 0x10000, 37, 38 };
	OK(kd(w, &w->a, SETREG, perf, &size));
	point(w, 0x25010000, 0, 0);
	point(w, 0x26000000, 0, 0);
	assert_int_equal(kd_read(w, &w->a, out, 16), 1);
	perf[2] = 37;
	OK(kd(w, &w->a, SETREG, perf, &size));
	point(w, 0x25010000, 0, 0);
	assert_int_equal(kd_read(w, &w->a, out, 16), 0);
	/* types go before all, and let class 7 through */
	types[(37 << 8 | 6) / 8] = 1 << 6;
	size = 8191;
	assert_int_equal(kd(w, &w->a, SET_TYPEFILTER, types, &size), EINVAL);
	size = 8192;
	OK(kd(w, &w->a, SET_TYPEFILTER, types, &size));
	point(w, DATA_THREAD, 0, 0);
	point(w, 0x25010000, 0, 0);
	point(w, 0x07000004, 0, 0);
	assert_int_equal(kd_read(w, &w->a, out, 16), 2);
}

UNIT(class_trace_by_version)
{
	static const char *const specs[] = { "m1,os=12.6,clock=step",
					     "m1,os=13.0,clock=step" };

	for (unsigned i = 0; i < 2; i++) {
		struct world *w = tracing(specs[i], 0);
		struct sim_record out[4];

		OK(kd_only(w, &w->a, DATA_THREAD));
		point(w, 0x07000004, 0, 0);
		assert_int_equal(kd_read(w, &w->a, out, 4), 1 - i);
	}
}

UNIT(reading)
{
	struct world *w = world_new(M);
	struct sim_record *out = room(300);
	size_t n = 63;

	assert_int_equal(kd(w, &w->a, READTR, out, &n), EINVAL);
	n = 6400;
	assert_int_equal(kd(w, &w->a, READTR, out, &n), EINVAL);
	w = tracing(M, 0);
	points(w, DATA_THREAD, 3, 250);
	OK(kd_value(w, &w->a, ENABLE, 0));
	assert_int_equal(kd(w, &w->a, READTR, NULL, &n), EINVAL);
	n = 63;
	assert_int_equal(kd(w, &w->a, READTR, out, &n), EINVAL);
	assert_int_equal(kd_read(w, &w->a, out, 100), 100);
	assert_int_equal(out[99].arg[0], 99);
	assert_int_equal(out[99].cpu, 3);
	assert_int_equal(out[99].timestamp,
			 (uint64_t)w->state.time.awake_ns * 3 / 125);
	assert_int_equal(kd_read(w, &w->a, out, 100), 100);
	assert_int_equal(kd_read(w, &w->a, out, 100), 50);
	assert_int_equal(kd_read(w, &w->a, out, 100), 0);
	/* switched on again, what waits is gone */
	OK(kd_value(w, &w->a, ENABLE, 1));
	points(w, DATA_THREAD, 3, 50);
	wait_ms(w, 1);
	OK(kd_value(w, &w->a, ENABLE, 1));
	point(w, DATA_THREAD, 3, 7);
	assert_int_equal(kd_read(w, &w->a, out, 100), 1);
	free(out);
}

/* By time; of the same moment the lowest CPU first, each CPU's in order. */
UNIT(merging)
{
	static const unsigned cpus[] = { 5, 2, 5, 2 };
	static const uint64_t want[][2] = {
		{ 2, 1 }, { 2, 3 }, { 5, 0 }, { 5, 2 }, { 1, 9 },
	};
	struct world *w = tracing(M, 0);
	struct sim_record out[8];

	for (unsigned i = 0; i < 4; i++)
		point(w, DATA_THREAD, cpus[i], i);
	wait_ms(w, 1);
	point(w, DATA_THREAD, 1, 9);
	assert_int_equal(kd_read(w, &w->a, out, 8), 5);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(out[i].cpu, want[i][0]);
		assert_int_equal(out[i].arg[0], want[i][1]);
	}
}

UNIT(a_full_ring)
{
	struct world *w = tracing(M, 0);
	unsigned all = (unsigned)kd_info(w, &w->a).nkdbufs;
	struct sim_record *out = room(all + 1);
	size_t one = 1;

	points(w, DATA_THREAD, 0, 3000);
	for (unsigned i = 3000; i < all + 5000; i++) {
		if (i % 4096 == 0)
			wait_ms(w, 1);
		point(w, DATA_THREAD, 1, i);
	}
	assert_int_equal(kd_info(w, &w->a).flags & 8, 8);
	size_t n = kd_read(w, &w->a, out, all + 1);
	assert_int_equal(out[0].debugid, 0x07020008);
	assert_int_equal(out[0].arg[0], 0);
	assert_int_equal(out[0].cpu, 0);
	assert_int_equal(kd_info(w, &w->a).flags & 8, 0);
	/* whole units of the oldest went, nothing of the newest */
	assert_int_equal(out[n - 1].arg[0], all + 4999);
	assert_in_range(n, all - 2 * 2048, all);
	for (size_t i = 2; i < n; i++)
		assert_true(out[i].timestamp >= out[i - 1].timestamp);
	assert_int_equal(kd_read(w, &w->a, out, one), 0);
	free(out);
}

/* With NOWRAP what is there stays, and nothing comes any more. */
UNIT(a_ring_that_stops)
{
	struct world *w = tracing(M, 0);
	unsigned all = (unsigned)kd_info(w, &w->a).nkdbufs;
	struct sim_record *out = room(all + 1);

	OK(kd_value(w, &w->a, EFLAGS, 2));
	points(w, DATA_THREAD, 1, all);
	assert_int_equal(kd_info(w, &w->a).nolog, 0);
	points(w, DATA_THREAD, 1, 1);
	assert_int_equal(kd_info(w, &w->a).nolog, 1);
	assert_int_equal(kd_info(w, &w->a).flags & 8, 0);
	assert_int_equal(kd_read(w, &w->a, out, all + 1), all);
	assert_int_equal(out[0].arg[0], 0);
	points(w, DATA_THREAD, 1, 1);
	assert_int_equal(kd_read(w, &w->a, out, all + 1), 0);
	free(out);
}

UNIT(maps)
{
	struct world *w = world_new(M);
	size_t most = 32768 * 32, size = most;
	char *map = calloc(1, most);
	int32_t pid;

	assert_non_null(map);
	OK(kd_op(w, &w->a, SETUP));
	assert_int_equal(kd(w, &w->a, THRMAP, map, &size), ENODATA);
	OK(kd_value(w, &w->a, ENABLE, 1));
	size_t want = (size_t)kd_info(w, &w->a).nkdthreads * 32;
	assert_true(want > 0);
	size = 32;
	assert_int_equal(kd(w, &w->a, THRMAP, map, &size), EINVAL);
	size = most;
	OK(kd(w, &w->a, THRMAP, map, &size));
	assert_int_equal(size, want);
	size = most;
	assert_int_equal(kd(w, &w->a, THRMAP, map, &size), ENODATA);
	size = 32;
	assert_int_equal(kd(w, &w->a, READCURTHRMAP, map, &size), EINVAL);
	size = 0;
	assert_int_equal(kd(w, &w->a, READCURTHRMAP, NULL, &size), EFAULT);
	size = most;
	OK(kd(w, &w->a, READCURTHRMAP, map, &size));
	assert_int_equal(size, want);
	/* whose a thread is, the process table says too */
	for (size_t at = 0; at < size; at += 32) {
		uint64_t tid, ids[SIM_MAX_CPUS];
		int n = 0, found = 0;

		memcpy(&tid, map + at, 8);
		memcpy(&pid, map + at + 8, 4);
		if (strcmp(map + at + 12, "kernel_task") == 0)
			pid = 0;
		OK(sim_thread_list(&w->k, &w->a, pid, ids, SIM_MAX_CPUS, &n));
		for (int i = 0; i < n; i++)
			found += ids[i] == tid;
		assert_int_equal(found, 1);
	}
	free(map);
}

UNIT(waiting)
{
	struct world *w = tracing(M, 0);
	unsigned all = (unsigned)kd_info(w, &w->a).nkdbufs;
	int64_t before = w->state.time.awake_ns;
	size_t ms = 5;

	OK(kd(w, &w->a, BUFWAIT, NULL, &ms));
	assert_int_equal(ms, 0);
	assert_int_equal(w->state.time.awake_ns - before, 5000000);
	points(w, DATA_THREAD, 0, all / 2 + 1);
	before = w->state.time.awake_ns;
	ms = 5;
	OK(kd(w, &w->a, BUFWAIT, NULL, &ms));
	assert_int_equal(ms, 1);
	assert_int_equal(w->state.time.awake_ns, before);
}

/* What a dead owner left is the next one's, records and all. */
UNIT(inheriting)
{
	struct world *w = tracing(M, 0);
	struct sim_record out[8];

	points(w, DATA_THREAD, 0, 3);
	sim_kernel_exit(&w->k, &w->a);
	owned(w, 100, 1, 1);
	assert_int_equal(kd_info(w, &w->b).bufid, -1);
	point(w, DATA_THREAD, 0, 3);
	assert_int_equal(kd_read(w, &w->b, out, 8), 4);
	owned(w, 200, 1, 1);
	OK(kd_op(w, &w->b, REMOVE));
	owned(w, 0, 0, 0);
	assert_int_equal(kd_info(w, &w->b).nkdbufs, 0);
}
