/* The 34 functions on the simulated kernel. */
#include "sim/frameworks.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

UNIT(identity)
{
	char text[64];

	start("m1,clock=step");
	assert_int_equal(api->kpc_cpu_string(text, sizeof(text)), 22);
	assert_string_equal(text, "cpu_100000c_2_1b588bb3");
	assert_int_equal(api->kpc_cpu_string(NULL, 0), -1);
	assert_int_equal(api->kpc_pmu_version(), KPC_PMU_ARM_APPLE);
	assert_int_equal(api->kperf_tick_frequency(), 24000000);
	assert_int_equal(api->kperf_ns_to_ticks(1000000000), 24000000);
	assert_int_equal(api->kperf_ns_to_ticks(125), 3);
	assert_int_equal(api->kperf_ticks_to_ns(24000000), 1000000000);
	assert_int_equal(api->kperf_ns_to_ticks(UINT64_MAX / 2),
			 221360928884514619ull);
	start("intel");
	assert_true(api->kpc_cpu_string(text, sizeof(text)) > 0);
	assert_string_equal(text, "cpu_7_8_37fc219f_5e");
	assert_int_equal(api->kperf_tick_frequency(), 1000000000);
	assert_int_equal(api->kperf_ns_to_ticks(77), 77);
}

/* Both ways of handing an errno on; counts are 0, thread counting all ones. */
static void
failures(const char *spec, bool minus1, int code)
{
	uint64_t buf[512] = { 0 };
	int v, want = minus1 ? -1 : code;

	start(spec);
	errno = 0;
	assert_int_equal(api->kpc_force_all_ctrs_get(&v), want);
	assert_int_equal(errno, code);
	assert_int_equal(api->kpc_set_counting(3), want);
	OK(api->kpc_get_counting());
	assert_int_equal(api->kpc_get_thread_counting(), UINT32_MAX);
	OK(api->kpc_pmu_version());
	assert_int_equal(api->kpc_get_cpu_counters(true, 1, NULL, buf), want);
	assert_int_equal(buf[0], 0);
}

UNIT(errno_styles)
{
	failures("m1,euid=501", true, EPERM);
	failures("m1,euid=501,lib=errno", false, EPERM);
	failures("m1,fault=busy@0s", true, EBUSY);
	failures("m1,fault=eperm@0s,lib=errno", false, EPERM);
	failures("vm", true, ENOENT);
	start("m1,fault=busy@0s"); /* the public ones too */
	OK(api->kpc_get_counter_count(3));
	sim_stop();
	/* not started at all */
	OK(api->kpc_get_counter_count(1));
	assert_int_equal(errno, ENOENT);
}

UNIT(no_words)
{
	uint64_t word = 0;

	start("m1,lib=errno");
	errno = 4711;
	assert_int_equal(api->kpc_set_config(1, &word), -1);
	assert_int_equal(errno, 4711);
}

UNIT(one_instance)
{
	struct err e;

	start("m1");
	assert_false(sim_start("m1", &e));
	assert_non_null(strstr(e.text, "already running"));
	sim_stop();
	assert_false(sim_start("nope", &e));
	assert_int_equal(e.code, ERR_USAGE);
}

UNIT(step_clock)
{
	struct stamp t;

	start("m1,clock=step,fault=sleep@2s-12s");
	clock_now(&host->clock, &t);
	assert_int_equal(t.awake_ns, START);
	assert_int_equal(t.elapsed_ns, START);
	assert_int_equal(t.wall_ns, 1767225600000000000LL);
	at_ms(3000);
	at_ms(1000); /* never backwards */
	clock_now(&host->clock, &t);
	assert_int_equal(t.awake_ns, START + 3000 * MS);
	assert_int_equal(t.elapsed_ns, START + 13000 * MS);
	start("m1");
	assert_false(host->clock.stepped);
}

UNIT(threads)
{
	uint64_t a[10], b[10], c[10];

	start("m1,clock=step");
	assert_int_equal(api->kpc_get_thread_counters(0, 10, a), -1);
	assert_int_equal(errno, EINVAL);
	full_mode(0x2008c);
	OK(api->kpc_set_thread_counting(3));
	assert_int_equal(api->kpc_get_thread_counting(), 3);
	assert_int_equal(api->kpc_get_thread_counters(7, 10, a), -1);
	assert_int_equal(api->kpc_get_thread_counters(0, 9, a), -1);
	OK(api->kpc_get_thread_counters(0, 10, a));
	assert_true(a[0] > 0 && a[1] > 0 && a[2] > 0); /* foreign counts */
	at_ms(1000);
	OK(api->kpc_get_thread_counters(0, 10, b));
	assert_int_equal(b[0] - a[0], 3204000000); /* exact from the first */
	at_ms(2000);
	OK(api->kpc_get_thread_counters(0, 10, c));
	/* a second of computing at 3204 MHz, 4.2 instructions a cycle */
	assert_int_equal(c[0] - b[0], 3204000000);
	assert_int_equal((c[1] - b[1]) / 1000000, 13456);
	assert_int_equal(c[2] - b[2], c[1] - b[1]);
	/* Off: the counts stay, and can be read. */
	OK(api->kpc_set_thread_counting(0));
	at_ms(3000);
	OK(api->kpc_get_thread_counters(0, 10, a));
	assert_memory_equal(a, c, sizeof(a));
	OK(api->kpc_set_thread_counting(3));
	at_ms(4000);
	OK(api->kpc_get_thread_counters(0, 10, b));
	assert_int_equal(b[0] - a[0], 3204000000);
}

/* As the system call takes it: asked, and thrown away. */
UNIT(no_room_for_the_answer)
{
	start("m1,clock=step");
	OK(api->kpc_force_all_ctrs_get(NULL));
	OK(api->kperf_action_count_set(1));
	OK(api->kperf_timer_count_set(2));
	OK(api->kperf_action_count_get(NULL));
	OK(api->kperf_action_samplers_get(1, NULL));
	OK(api->kperf_timer_count_get(NULL));
	OK(api->kperf_timer_period_get(1, NULL));
	OK(api->kperf_timer_action_get(1, NULL));
	OK(api->kperf_timer_pet_get(NULL));
	OK(api->kperf_sample_get(NULL));
	start("m1,euid=501");
	assert_int_equal(api->kpc_force_all_ctrs_get(NULL), -1);
	assert_int_equal(errno, EPERM);
}

UNIT(sampling)
{
	uint32_t n = 0;
	uint64_t ticks = 0;

	start("m1,clock=step");
	assert_int_equal(api->kperf_sample_set(1), -1); /* no action */
	assert_int_equal(errno, ECANCELED);
	OK(api->kperf_action_count_set(32));
	OK(api->kperf_action_count_get(&n));
	assert_int_equal(n, 32);
	assert_int_equal(api->kperf_action_count_set(3), -1); /* no shrink */
	OK(api->kperf_timer_count_set(8));
	assert_int_equal(api->kperf_timer_count_set(9), -1);
	OK(api->kperf_action_samplers_set(1, KPERF_SAMPLER_PMC_THREAD));
	OK(api->kperf_action_samplers_get(1, &n));
	assert_int_equal(n, KPERF_SAMPLER_PMC_THREAD);
	assert_int_equal(api->kperf_action_samplers_set(0, 1), -1);
	assert_int_equal(api->kperf_action_samplers_set(1, 0x30), -1);
	assert_int_equal(api->kperf_action_samplers_set(33, 1), -1);
	OK(api->kperf_action_filter_set_by_pid(1, -1));
	OK(api->kperf_action_filter_set_by_task(1, -1));
	OK(api->kperf_timer_period_set(1, 24000));
	OK(api->kperf_timer_period_get(1, &ticks));
	assert_int_equal(ticks, 24000);
	OK(api->kperf_timer_period_set(1, 10));
	OK(api->kperf_timer_period_get(1, &ticks));
	assert_int_equal(ticks, 1200); /* 50 us */
	OK(api->kperf_timer_action_set(1, 1));
	OK(api->kperf_timer_action_get(1, &n));
	assert_int_equal(n, 1);
	OK(api->kperf_timer_pet_set(1));
	OK(api->kperf_timer_pet_get(&n));
	assert_int_equal(n, 1);
	OK(api->kperf_sample_set(1));
	assert_int_equal(api->kperf_timer_period_set(1, 1), -1);
	assert_int_equal(errno, EBUSY);
	OK(api->kperf_sample_get(&n));
	assert_int_equal(n, 1);
	OK(api->kperf_reset());
	OK(api->kperf_sample_get(&n));
	assert_int_equal(n, 0);
}

/* The same spec gives the same numbers; another seed others. */
UNIT(deterministic)
{
	static const char *const specs[] = { "m4max,clock=step,seed=1",
					     "m4max,clock=step,seed=1",
					     "m4max,clock=step,seed=2" };
	uint64_t row[3][32];

	for (int i = 0; i < 3; i++) {
		start(specs[i]);
		at_ms(5000);
		OK(api->kpc_get_cpu_counters(true, 1, NULL, row[i]));
		sim_stop();
	}
	assert_memory_equal(row[0], row[1], sizeof(row[0]));
	assert_memory_not_equal(row[0], row[2], sizeof(row[0]));
}

/* sim_total is what the fixed counters say, less the reads. */
UNIT(totals)
{
	uint64_t row[16];

	assert_true(sim_total(0, "FIXED_CYCLES", true, START) == UINT64_MAX);
	start("m1,clock=step,seed=3");
	at_ms(12345);
	for (unsigned reads = 1; reads < 4; reads++) {
		OK(api->kpc_get_cpu_counters(true, 1, NULL, row));
		for (unsigned c = 0; c < 8; c++) {
			assert_int_equal(row[2 * c],
					 sim_total(c, "FIXED_CYCLES", true,
						   START + 12345 * MS) +
						 2000 * reads);
			assert_int_equal(row[2 * c + 1],
					 sim_total(c, "INST_ALL", true,
						   START + 12345 * MS) +
						 900 * reads);
		}
	}
	assert_true(sim_total(0, "0x8c", false, START) ==
		    sim_total(0, "INST_ALL", false, START));
	assert_true(sim_total(0, "NO_SUCH", true, START) == UINT64_MAX);
	assert_true(sim_total(8, "INST_ALL", true, START) == UINT64_MAX);
}

static void *
read_often(void *arg)
{
	uint64_t row[16];

	for (int i = 0; i < 2000; i++)
		if (api->kpc_get_cpu_counters(true, 1, NULL, row) != 0)
			return arg;
	return NULL;
}

/* Reads of two threads: none is lost. */
UNIT(two_threads)
{
	pthread_t other;
	uint64_t row[16];
	void *bad;

	start("m1,clock=step");
	OK(pthread_create(&other, NULL, read_often, row));
	assert_null(read_often(row));
	OK(pthread_join(other, &bad));
	assert_null(bad);
	OK(api->kpc_get_cpu_counters(true, 1, NULL, row));
	assert_int_equal(row[0] - sim_total(0, "FIXED_CYCLES", true, START),
			 4001 * 2000);
}
