/* libkperf-sampler: every CPU, beside threads, beside other tools. */
#include "sim/sampler_mac.h"

UNIT_IN(every_cpu, NULL, stop)
{
	static const char *const names[] = { "INST_ALL", "Cycles",
					     "Instructions" };
	struct kps_error e;
	uint64_t a[32 * 3], b[32 * 3];
	bool there[32];

	boot("m1,clock=step,os=14.5"); /* all modes: INST_ALL is the fixed */
	struct kps_sampler *s = sampler_new();
	struct kps_cpus *c = kps_cpus_new(s, names, 3, &e);
	assert_non_null(c);
	assert_int_equal(kps_cpus_count(c), 32);
	assert_false(kps_cpus_sample(c, a, there, &e));
	assert_int_equal(e.code, KPS_NOT_RUNNING);
	assert_true(kps_cpus_start(c, &e));
	assert_true(kps_cpus_start(c, &e));
	assert_true(kps_cpus_running(c));
	assert_true(kps_cpus_sample(c, a, there, &e));
	int64_t from = now_ns();
	step_ns(250 * MS);
	assert_true(kps_cpus_sample(c, b, there, &e));
	for (unsigned cpu = 0; cpu < 32; cpu++) {
		uint64_t inst, most = 0;

		assert_int_equal(there[cpu], cpu < 8);
		if (cpu >= 8)
			continue;
		inst = sim_total(cpu, "INST_ALL", true, now_ns()) -
		       sim_total(cpu, "INST_ALL", true, from);
		most = inst + 900; /* the cost of the reading itself */
		assert_in_range(b[cpu * 3] - a[cpu * 3], inst, most);
		assert_int_equal(b[cpu * 3] - a[cpu * 3],
				 b[cpu * 3 + 2] - a[cpu * 3 + 2]);
		assert_true(b[cpu * 3 + 1] > a[cpu * 3 + 1]);
	}
	assert_string_equal(kps_cpus_event(c, 1)->name, "FIXED_CYCLES");
	assert_true(kps_cpus_stop(c, &e));
	kps_cpus_free(c);
	kps_sampler_free(s);
}

UNIT_IN(cpus_and_threads_together, NULL, stop)
{
	static const char *const names[] = { "INST_ALL", "MAP_STALL" };
	struct machine_state before, now;
	uint64_t a[64], v[4], w[4];

	boot("m4,clock=step");
	look(&before);
	struct kps_sampler *s = sampler_new();
	struct kps_cpus *c = kps_cpus_new(s, names, 2, NULL);
	struct kps_thread *t = thread_new(s, four, 4);
	assert_true(kps_cpus_start(c, NULL));
	look(&now);
	assert_int_equal(now.threads, 0); /* CPUs need no thread counting */
	thread_start(t);
	thread_read(t, v);
	assert_true(kps_cpus_stop(c, NULL));
	step_ns(MS);
	thread_read(t, w);
	assert_true(w[2] > v[2] && w[0] > v[0]);
	assert_true(kps_cpus_start(c, NULL));
	assert_true(kps_thread_stop(t, NULL));
	look(&now);
	assert_int_equal(now.threads, 0);
	assert_int_equal(now.counting, 3);
	assert_true(kps_cpus_sample(c, a, NULL, NULL));
	assert_true(kps_sampler_release(s, NULL)); /* stops it */
	assert_false(kps_cpus_running(c));
	assert_as_before(&before);
	assert_true(kps_sampler_acquire(s, NULL));
	assert_true(kps_cpus_start(c, NULL));
	kps_sampler_free(s); /* before its children */
	assert_as_before(&before);
	assert_false(kps_cpus_start(c, NULL));
	kps_cpus_free(c);
	kps_thread_free(t);
}

UNIT_IN(powered_down_cpus_do_not_answer, NULL, stop)
{
	static const char *const names[] = { "Cycles", "INST_ALL" };
	/*
	 * As many words leave the kernel as were read: with the first four
	 * CPUs off the rows of the others are cut (xnu a64/kpc.c), so nobody
	 * answers; with the last four off, the first do.
	 */
	static const struct {
		const char *spec;
		unsigned answer;
	} off[] = { { "m1,clock=step,fault=off:P@1s-2s", 4 },
		    { "m1,clock=step,rows=copied,fault=off:P@1s-2s", 4 },
		    { "m1,clock=step,fault=off:E@1s-2s", 0 } };

	for (unsigned i = 0; i < LEN(off); i++) {
		struct kps_sampler *s;
		struct kps_cpus *c;
		uint64_t a[64], b[64];
		bool there[32];

		boot(off[i].spec);
		s = sampler_new();
		c = kps_cpus_new(s, names, 2, NULL);
		assert_true(kps_cpus_start(c, NULL));
		step_ns(500 * MS);
		assert_true(kps_cpus_sample(c, a, there, NULL));
		assert_true(there[0] && there[7]);
		for (int n = 0; n < 2; n++) {
			step_ns(400 * MS);
			memcpy(b, a, sizeof(a));
			assert_true(kps_cpus_sample(c, b, there, NULL));
		}
		for (unsigned cpu = 0; cpu < 8; cpu++) {
			bool yes = cpu < off[i].answer;

			assert_int_equal(there[cpu], yes);
			assert_int_equal(b[cpu * 2] > a[cpu * 2], yes);
		}
		kps_cpus_free(c);
		kps_sampler_free(s);
	}
}

UNIT_IN(another_tool_keeps_what_it_set, NULL, stop)
{
	const struct kperf_api *k = sim_kperf();
	uint64_t words[KPC_MAX_COUNTERS] = { 0 }, after[KPC_MAX_COUNTERS];
	struct kps_error e;
	int force;

	boot("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, four, 4);
	thread_start(t);
	assert_true(kps_sampler_check(s, &e));
	words[3] = 0x8d;
	OK(k->kpc_set_counting(0));
	OK(k->kpc_set_config(2, words));
	OK(k->kpc_set_counting(2));
	OK(k->kpc_set_thread_counting(1));
	assert_false(kps_sampler_check(s, &e));
	assert_int_equal(e.code, KPS_REPROGRAMMED);
	kps_thread_free(t);
	kps_sampler_free(s);
	OK(k->kpc_force_all_ctrs_get(&force));
	assert_int_equal(force, 0);
	assert_int_equal(k->kpc_get_thread_counting(), 1);
	memset(after, 0, sizeof(after));
	OK(k->kpc_force_all_ctrs_set(1));
	OK(k->kpc_get_config(2, after));
	assert_int_equal(after[3] & 0xffff, 0x8d);
	assert_int_equal(k->kpc_get_counting() & 2, 2);
	OK(k->kpc_force_all_ctrs_set(0));
}

UNIT_IN(a_thief_is_thrown_out_by_a_start, NULL, stop)
{
	const struct kperf_api *k = sim_kperf();
	uint64_t none[KPC_MAX_COUNTERS] = { 0 }, a[4], b[4];

	boot("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, four, 4);
	thread_start(t);
	OK(k->kpc_set_config(2, none));
	assert_false(kps_sampler_check(s, NULL));
	assert_true(kps_thread_stop(t, NULL));
	thread_start(t);
	assert_true(kps_sampler_check(s, NULL));
	thread_read(t, a);
	step_ns(10 * MS);
	thread_read(t, b);
	assert_true(b[2] > a[2]);
	kps_thread_free(t);
	kps_sampler_free(s);
}
