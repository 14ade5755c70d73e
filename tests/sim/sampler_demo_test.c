/* libkperf-sampler beside a program that does the same without it. */
#include "sim/sampler_mac.h"

/* The workflow of kpc_demo, call by call, without our library. */
static void
demo(uint64_t difference[4])
{
	const struct kperf_api *k = sim_kperf();
	const struct kperfdata_api *p = sim_kperfdata();
	/* In an order that suits a framework that never moves an event. */
	static const char *const names[4] = { "FIXED_INSTRUCTIONS",
					      "FIXED_CYCLES",
					      "BRANCH_MISPRED_NONSPEC",
					      "L1D_CACHE_MISS_LD_NONSPEC" };
	uint64_t word[KPC_MAX_COUNTERS] = { 0 }, a[KPC_MAX_COUNTERS],
		 b[KPC_MAX_COUNTERS];
	size_t map[KPC_MAX_COUNTERS];
	struct kpep_config *config;
	struct kpep_db *db;
	uint32_t classes;

	assert_int_equal(p->kpep_db_create(NULL, &db), 0);
	assert_int_equal(p->kpep_config_create(db, &config), 0);
	assert_int_equal(p->kpep_config_force_counters(config), 0);
	for (unsigned i = 0; i < 4; i++) {
		struct kpep_event *e;

		assert_int_equal(p->kpep_db_event(db, names[i], &e), 0);
		assert_int_equal(p->kpep_config_add_event(config, &e, 0, NULL),
				 0);
	}
	assert_int_equal(p->kpep_config_kpc_classes(config, &classes), 0);
	assert_int_equal(p->kpep_config_kpc_map(config, map, sizeof(map)), 0);
	assert_int_equal(p->kpep_config_kpc(config, word, sizeof(word)), 0);
	OK(k->kpc_force_all_ctrs_set(1));
	OK(k->kpc_set_config(classes, word));
	OK(k->kpc_set_counting(classes));
	OK(k->kpc_set_thread_counting(classes));
	/* Its first reading is the stale one; measure between later ones. */
	OK(k->kpc_get_thread_counters(0, 32, a));
	step_ns(3 * MS);
	OK(k->kpc_get_thread_counters(0, 32, a));
	step_ns(7 * MS + 77);
	OK(k->kpc_get_thread_counters(0, 32, b));
	for (unsigned i = 0; i < 4; i++)
		difference[i] = b[map[i]] - a[map[i]];
	OK(k->kpc_set_counting(0));
	OK(k->kpc_set_thread_counting(0));
	OK(k->kpc_force_all_ctrs_set(0));
	p->kpep_config_free(config);
	p->kpep_db_free(db);
}

UNIT_IN(a_program_without_the_library_counts_the_same, NULL, stop)
{
	static const char *const machine[] = { "m1", "m2max", "m3", "m4",
					       "m5" };

	for (unsigned i = 0; i < LEN(machine); i++) {
		struct kps_sampler *s;
		struct kps_thread *t;
		uint64_t theirs[4], a[4], b[4];
		char spec[64];

		snprintf(spec, sizeof(spec), "%s,clock=step", machine[i]);
		boot(spec);
		demo(theirs);
		boot(spec);
		s = sampler_new();
		t = thread_new(s, four, 4);
		thread_start(t);
		step_ns(3 * MS);
		thread_read(t, a);
		step_ns(7 * MS + 77);
		thread_read(t, b);
		for (unsigned j = 0; j < 4; j++) {
			assert_true(theirs[j] > 0);
			assert_int_equal(b[j] - a[j], theirs[j]);
		}
		kps_thread_free(t);
		kps_sampler_free(s);
	}
}

UNIT_IN(an_intel_mac_counts_the_fallback, NULL, stop)
{
	static const char *const names[] = { "BR_INST_RETIRED.ALL_BRANCHES",
					     "INST_RETIRED.ANY" };
	uint64_t a[2], b[2];

	boot("intel,clock=step");
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, names, 2);
	assert_string_equal(kps_thread_event(t, 1)->name, "INST_RETIRED.ANY_P");
	thread_start(t);
	thread_read(t, a);
	step_ns(10 * MS);
	thread_read(t, b);
	/* 13 branches in 100; rates are as fine as 2^-20 of a cycle. */
	assert_in_range((b[0] - a[0]) * 100,
			(b[1] - a[1]) * 13 - (b[1] - a[1]) / 1000,
			(b[1] - a[1]) * 13 + (b[1] - a[1]) / 1000);
	kps_thread_free(t);
	kps_sampler_free(s);
}
