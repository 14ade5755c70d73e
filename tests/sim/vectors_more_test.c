/*
 * The test vectors from 47 on: force, tasks, owners, power, other machines.
 * Profile M unless said: M1, macOS 15.5, two counters reserved.
 */
#include "sim/world.h"

#define M "m1,os=15.5,clock=step,pm=0x60"

UNIT(mask_grows)
{
	struct world *w = world_new(M);
	uint64_t t0[128], t1[128];

	assert_int_equal(config_fill(w, &w->a, 2, 0x2008c, 6), 0);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0); /* 47 */
	assert_int_equal(counting(w, &w->a), 3);
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(counting(w, &w->a), 1);
	sim_kernel_idle(&w->k); /* 48 */
	rows(w, &w->a, 3, t0);
	wait_ms(w, 1000);
	rows(w, &w->a, 3, t1);
	for (unsigned c = 0; c < 8; c++)
		for (unsigned i = 2; i < 10; i++)
			assert_int_equal(t1[c * 10 + i], t0[c * 10 + i]);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	wait_ms(w, 1000);
	rows(w, &w->a, 3, t0);
	assert_true(t0[5 * 10 + 2] > t1[5 * 10 + 2]);
	world_free(w);

	/* cores idle by themselves: nothing more than a millisecond counts */
	w = world_new(M);
	assert_int_equal(config_fill(w, &w->a, 2, 0x2008c, 6), 0);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	assert_int_equal(force(w, &w->a, 1), 0);
	wait_ms(w, 2);
	rows(w, &w->a, 3, t0);
	wait_ms(w, 1000);
	rows(w, &w->a, 3, t1);
	assert_int_equal(t1[5 * 10 + 2], t0[5 * 10 + 2]);
	world_free(w);

	w = world_new(M); /* 51 */
	assert_int_equal(set32(w, &w->a, "kpc.counting", 4), 0);
	assert_int_equal(counting(w, &w->a), 4);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	assert_int_equal(counting(w, &w->a), 3);
	world_free(w);
}

UNIT(two_tools)
{
	struct world *w = world_new(M);
	uint64_t t[128];

	assert_int_equal(force(w, &w->a, 1), 0); /* 57 */
	assert_int_equal(force(w, &w->b, 1), EACCES);
	assert_int_equal(force(w, &w->b, 0), EACCES);
	assert_int_equal(value32(w, &w->b, "kpc.force_all_ctrs"), 1);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	assert_int_equal(count32(w, &w->b, "kpc.counter_count", 3), 10);
	rows(w, &w->b, 3, t); /* 58 */
	assert_int_equal(config_fill(w, &w->b, 2, 0x20002, 8), 0);
	assert_int_equal(set32(w, &w->b, "kpc.counting", 0), 0);
	assert_int_equal(counting(w, &w->a), 0);
	world_free(w);
}

static void
a_dies(const char *spec, uint32_t want, unsigned visible)
{
	struct world *w = world_new(spec);
	uint64_t words[8] = { 0 };

	assert_int_equal(force(w, &w->a, 1), 0); /* 59 */
	assert_int_equal(config_fill(w, &w->a, 2, 0x2008c, 8), 0);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	sim_kernel_exit(&w->k, &w->a);
	assert_int_equal(value32(w, &w->b, "kpc.force_all_ctrs"), 0);
	assert_int_equal(counting(w, &w->b), want);
	assert_int_equal(config_get(w, &w->b, 2, words, 8), 0);
	for (unsigned i = 0; i < visible; i++)
		assert_int_equal(words[i], 0x2008c);
	assert_int_equal(force(w, &w->b, 1), 0); /* 60 */
	world_free(w);
}

UNIT(tasks)
{
	struct world *w = world_new(M);
	struct sim_caller child = w->a;

	a_dies(M, 7, 6);
	a_dies("m1,os=15.5,clock=step,pm=0", 3, 8);
	assert_int_equal(force(w, &w->a, 1), 0); /* 61 */
	child.pid = 101;
	child.task = 11;
	assert_int_equal(force(w, &child, 0), EACCES);
	sim_kernel_exec(&w->k, &w->a);
	assert_int_equal(value32(w, &w->a, "kpc.force_all_ctrs"), 0);
	world_free(w);
}

static int
read_as(struct world *w, const struct sim_caller *who)
{
	uint64_t buf[32];
	size_t size = sizeof(buf);

	return counters(w, who, 1 | ALL, buf, &size);
}

UNIT(dropping_root)
{
	struct world *w = world_new(M);
	struct sim_caller me = w->a;

	assert_int_equal(force(w, &me, 1), 0);
	me.euid = 501;
	assert_int_equal(read_as(w, &me), EPERM); /* 63, 64 */
	me.euid = 0;
	assert_int_equal(read_as(w, &me), 0);
	assert_int_equal(set32(w, &me, "kperf.pet_idle_rate", 15), 0); /* 65 */
	me.euid = 501;
	assert_int_equal(read_as(w, &me), 0);
	assert_int_equal(set32(w, &me, "kpc.counting", 0), 0);
	assert_int_equal(config_fill(w, &me, 2, 0, 8), 0);
	/* 67: another one may not become the owner meanwhile */
	assert_int_equal(set32(w, &w->b, "kperf.pet_idle_rate", 15), EBUSY);
	assert_int_equal(set32(w, &me, "kperf.reset", 1), 0); /* 66 */
	assert_int_equal(read_as(w, &me), EPERM);
	world_free(w);

	w = world_new(M); /* 67 */
	me = w->a;
	assert_int_equal(set32(w, &w->b, "kperf.pet_idle_rate", 15), 0);
	assert_int_equal(set32(w, &me, "kperf.pet_idle_rate", 15), EBUSY);
	me.euid = 501;
	assert_int_equal(read_as(w, &me), EPERM);
	/* the owner dies: the next one gets it */
	sim_kernel_exit(&w->k, &w->b);
	me.euid = 0;
	assert_int_equal(set32(w, &me, "kperf.pet_idle_rate", 15), 0);
	world_free(w);
}

UNIT(blessing)
{
	struct world *w = world_new(M);
	struct sim_caller me = w->a;

	assert_int_equal(set32(w, &me, "kperf.blessed_pid", 100), 0); /* 68 */
	me.euid = 501;
	assert_int_equal(read_as(w, &me), 0);
	assert_int_equal(set32(w, &me, "kperf.blessed_pid", (uint32_t)-1),
			 EPERM);
	/* the blessed one stays the owner through a reset */
	assert_int_equal(set32(w, &me, "kperf.reset", 1), 0);
	assert_int_equal(read_as(w, &me), 0);
	assert_int_equal(set32(w, &w->b, "kperf.blessed_pid", 200), 0);
	assert_int_equal(read_as(w, &me), EPERM); /* 69 */
	world_free(w);
}

UNIT(cpmu_owned)
{
	struct world *w = world_new(M);
	uint32_t v, classes = 3;
	size_t size = sizeof(v);

	w->state.kpc.cpmu_owned = true; /* 70 */
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.counter_count",
					   &v, &size, &classes, 4),
			 EBUSY);
	assert_int_equal(get32(w, &w->a, "kpc.counting", &v), EBUSY);
	assert_int_equal(read_as(w, &w->a), EBUSY);
	assert_int_equal(force(w, &w->a, 1), EBUSY);
	assert_int_equal(get32(w, &w->a, "kpc.classes", &v), EBUSY);
	assert_int_equal(get32(w, &w->user, "kpc.counting", &v), EPERM);
	assert_int_equal(value32(w, &w->user, "kpc.pc_capture_supported"), 1);
	world_free(w);

	w = world_new("m1,os=14.2"); /* 91 */
	assert_int_equal(sim_kernel_open(&w->k, &w->b, "/dev/perfmon_core"), 0);
	assert_int_equal(read_as(w, &w->a), EBUSY);
	assert_int_equal(sim_kernel_close(&w->k, &w->b, "/dev/perfmon_core"),
			 0);
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(sim_kernel_open(&w->k, &w->b, "/dev/perfmon_core"),
			 ETXTBSY);
	world_free(w);

	w = world_new(M); /* 92 */
	assert_int_equal(sim_kernel_open(&w->k, &w->b, "/dev/monotonic/uncore"),
			 0);
	assert_int_equal(force(w, &w->a, 1), EACCES);
	assert_int_equal(
		sim_kernel_close(&w->k, &w->b, "/dev/monotonic/uncore"), 0);
	assert_int_equal(force(w, &w->a, 1), 0);
	assert_int_equal(sim_kernel_open(&w->k, &w->b, "/dev/monotonic/uncore"),
			 ECONNREFUSED);
	world_free(w);
}

UNIT(powered_down)
{
	struct world *w =
		world_new("m2max,os=15.5,clock=step,fault=off:P0@3s-6s");
	uint64_t before[121], during[121], after[121];
	size_t size;

	assert_int_equal(force(w, &w->a, 1), 0); /* 71: N=12, cpu4-7 off */
	assert_int_equal(config_fill(w, &w->a, 2, 0x2008c, 8), 0);
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	wait_ms(w, 2000);
	size = 968;
	assert_int_equal(counters(w, &w->a, 3 | ALL, before, &size), 0);
	assert_int_equal(size, 968);
	wait_ms(w, 2000);
	memset(during, 0xaa, sizeof(during));
	size = 968;
	assert_int_equal(counters(w, &w->a, 3 | ALL, during, &size), 0);
	assert_int_equal(size, 648);
	for (unsigned c = 0; c < 4; c++)
		assert_true(during[1 + c * 10] > before[1 + c * 10]);
	assert_memory_equal(&during[41], &before[41], 4 * 80);
	for (unsigned i = 81; i < 121; i++)
		assert_int_equal(during[i], 0xaaaaaaaaaaaaaaaaull);
	/* 73: nothing is lost, and the seconds off counted nothing */
	wait_ms(w, 2000);
	size = 968;
	assert_int_equal(counters(w, &w->a, 3 | ALL, after, &size), 0);
	assert_int_equal(size, 968);
	for (unsigned c = 0; c < 12; c++)
		for (unsigned i = 0; i < 10; i++)
			assert_true(after[1 + c * 10 + i] >=
				    before[1 + c * 10 + i]);
	world_free(w);
}

UNIT(odds_and_ends)
{
	struct world *w = world_new(M);
	uint64_t buf[32] = { 1, 5, 5 };
	uint32_t v, tid = 5;
	size_t size = sizeof(buf);

	assert_int_equal(set32(w, &w->a, "kpc.sw_inc", 1), ENOTSUP); /* 77 */
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.thread_counters",
					   buf, &size, &tid, 4),
			 EINVAL); /* 78 */
	tid = 0;
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.thread_counters",
					   buf, &size, &tid, 4),
			 EINVAL);
	assert_int_equal(get32(w, &w->a, "kpc.disable_whitelist", &v),
			 ENOENT); /* 79 */
	assert_int_equal(get32(w, &w->a, "kpc.foo", &v), ENOENT);
	buf[0] = 1;
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.period", NULL,
					   NULL, buf, 24),
			 0);                                          /* 82 */
	assert_int_equal(value32(w, &w->user, "kern.cpc.secure"), 1); /* 85 */
	assert_int_equal(set32(w, &w->a, "kern.cpc.secure", 0), EPERM);
	assert_int_equal(get32(w, &w->a, "hw.perflevel0.l3cachesize", &v),
			 EINVAL); /* 93 */
	world_free(w);
}

UNIT(other_machines)
{
	struct world *w = world_new("vm,os=15.5"); /* 80 */
	char name[32];
	uint64_t buf[64] = { 1 };
	size_t size = sizeof(name);
	uint32_t v;

	assert_int_equal(get32(w, &w->a, "kpc.classes", &v), ENOENT);
	assert_int_equal(get32(w, &w->a, "kpc.pc_capture_supported", &v),
			 ENOENT);
	assert_int_equal(get32(w, &w->a, "kern.cpc.secure", &v), ENOENT);
	assert_int_equal(value32(w, &w->a, "hw.nperflevels"), 1);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "hw.perflevel0.name",
					   name, &size, NULL, 0),
			 0);
	assert_string_equal(name, "Standard");
	assert_int_equal(get32(w, &w->a, "hw.perflevel1.logicalcpu", &v),
			 ENOENT);
	world_free(w);

	w = world_new("intel,os=15.5"); /* 81 */
	assert_int_equal(value32(w, &w->a, "kpc.classes"), 3);
	assert_int_equal(counters_n(w, 1), 3);
	assert_int_equal(counters_n(w, 2), 4);
	assert_int_equal(configs_n(w, 1), 1);
	assert_int_equal(configs_n(w, 2), 4);
	assert_int_equal(value32(w, &w->a, "kpc.pmu_version"), 0);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "kpc.period", NULL,
					   NULL, buf, 64),
			 EINVAL); /* 82 */
	w->k.pmu_version = 1;     /* 83 */
	assert_int_equal(get32(w, &w->a, "kpc.classes", &v), ENOTSUP);
	world_free(w);

	w = world_new("m1,os=12.5"); /* 94 */
	size = sizeof(name);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "hw.perflevel0.name",
					   name, &size, NULL, 0),
			 ENOENT);
	world_free(w);
	w = world_new("m1,os=13.0");
	size = sizeof(name);
	assert_int_equal(sim_kernel_sysctl(&w->k, &w->a, "hw.perflevel0.name",
					   name, &size, NULL, 0),
			 0);
	assert_string_equal(name, "Performance");
	world_free(w);
}

UNIT(system_sleep)
{
	struct world *w = world_new("m1,clock=step,fault=sleep@2s-3602s");
	struct stamp t0, t1;
	uint64_t before[128], after[128];

	wait_ms(w, 1500); /* 90 */
	sim_kernel_now(&w->k, &t0);
	rows(w, &w->a, 1, before);
	wait_ms(w, 1000);
	sim_kernel_now(&w->k, &t1);
	rows(w, &w->a, 1, after);
	assert_int_equal(t1.awake_ns - t0.awake_ns, 1000000000);
	assert_int_equal(t1.elapsed_ns - t0.elapsed_ns, 3601000000000);
	assert_int_equal(t1.wall_ns - t0.wall_ns, 3601000000000);
	for (unsigned c = 0; c < 8; c++)
		assert_true(after[c * 2] - before[c * 2] < 3300000000u);
	world_free(w);
}

/* The shared buffer: reading the words back spoils the first rows' rest. */
UNIT(one_buffer)
{
	struct world *w =
		world_new("m1,os=15.5,clock=step,pm=0,fault=off:E@1s-2s");
	uint64_t words[8], buf[17];
	size_t size = sizeof(buf);

	assert_int_equal(config_fill(w, &w->a, 2, 0x2008c, 8), 0);
	wait_ms(w, 1500);
	assert_int_equal(config_get(w, &w->a, 2, words, 8), 0);
	assert_int_equal(counters(w, &w->a, 1 | ALL, buf, &size), 0);
	assert_int_equal(size, 8 * (1 + 4 * 2));
	for (unsigned i = 1; i < 8; i++) /* CPUs 0 to 3 did not answer */
		assert_int_equal(buf[i], 0x2008c);
	/* a CPU that is off still takes the words of that time */
	assert_int_equal(set32(w, &w->a, "kpc.counting", 3), 0);
	wait_ms(w, 1000);
	uint64_t t0[128], t1[128];
	rows(w, &w->a, 3, t0);
	wait_ms(w, 1000);
	rows(w, &w->a, 3, t1);
	for (unsigned c = 0; c < 8; c++)
		assert_true(t1[c * 10 + 2] >= t0[c * 10 + 2]);
	assert_true(t1[2] > 0);
	world_free(w);
}
