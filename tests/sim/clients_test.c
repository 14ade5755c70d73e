/*
 * The orders of calls of programs in the field, on both kernels. From macOS
 * 26.5 on words act when counting starts: who writes them afterwards counts
 * nothing, and who writes them in another chip's numbers is refused.
 */
#include "sim/machine_state.h"

#include <errno.h>
#include <stdio.h>

#define LEN(a) (sizeof(a) / sizeof((a)[0]))
#define MS 1000000LL

enum { CYCLES_M1 = 0x20002, FIXED = 2, BOTH = 3, COUNTERS = 10 };

static void
on(const char *machine)
{
	char spec[48];

	snprintf(spec, sizeof(spec), "%s,clock=step", machine);
	boot(spec);
}

static void
wait_a_moment(void)
{
	const struct clock *c = &sim_host()->clock;
	struct stamp now;

	clock_now(c, &now);
	c->step(c->self, now.awake_ns + 100 * MS);
}

static int
words(uint64_t word)
{
	uint64_t config[COUNTERS] = { word };

	errno = 0;
	return sim_kperf()->kpc_set_config(BOTH, config) == 0 ? 0 : errno;
}

static void
force_and_count(void)
{
	const struct kperf_api *k = sim_kperf();

	OK(k->kpc_force_all_ctrs_set(1));
	OK(k->kpc_set_counting(BOTH));
	OK(k->kpc_set_thread_counting(BOTH));
}

/* What the first configurable counter has of the thread in a moment. */
static uint64_t
counted(void)
{
	const struct kperf_api *k = sim_kperf();
	uint64_t before[COUNTERS] = { 0 }, after[COUNTERS] = { 0 };

	OK(k->kpc_get_thread_counters(0, COUNTERS, before));
	wait_a_moment();
	OK(k->kpc_get_thread_counters(0, COUNTERS, after));
	assert_true(after[0] > before[0]); /* the fixed pair always does */
	return after[FIXED] - before[FIXED];
}

/* The word of an event by the framework's database, user mode. */
static uint64_t
word_of(const char *name)
{
	const struct kperfdata_api *p = sim_kperfdata();
	struct kpep_config *config;
	struct kpep_event *event;
	uint64_t word[COUNTERS] = { 0 };
	size_t map[COUNTERS] = { 0 };
	struct kpep_db *db;

	assert_int_equal(p->kpep_db_create(NULL, &db), 0);
	assert_int_equal(p->kpep_db_event(db, name, &event), 0);
	assert_int_equal(p->kpep_config_create(db, &config), 0);
	assert_int_equal(p->kpep_config_force_counters(config), 0);
	assert_int_equal(p->kpep_config_add_event(config, &event, 1, NULL), 0);
	assert_int_equal(p->kpep_config_kpc_map(config, map, sizeof(map)), 0);
	assert_int_equal(p->kpep_config_kpc(config, word, sizeof(word)), 0);
	p->kpep_config_free(config);
	p->kpep_db_free(db);
	return word[map[0]];
}

static int
shut(void **state)
{
	sim_stop();
	return 0;
}

/* Words of the database, force, words, counting: everywhere. */
UNIT_IN(the_order_of_today, NULL, shut)
{
	static const char *const machines[] = {
		"m1,os=26.4", "m1,os=26.6", "m4,os=26.6", "m5max,os=26.6",
		"m6",         "m5ultra",    "neo",        "m6,pm=0",
	};

	for (unsigned i = 0; i < LEN(machines); i++) {
		on(machines[i]);
		uint64_t word = word_of("CORE_ACTIVE_CYCLE");

		OK(sim_kperf()->kpc_force_all_ctrs_set(1));
		assert_int_equal(words(word), 0);
		force_and_count();
		assert_true(counted() > 0);
	}
}

/* Counting first, and then the words. */
UNIT_IN(words_after_counting, NULL, shut)
{
	on("m1,os=26.4");
	force_and_count();
	assert_int_equal(words(CYCLES_M1), 0);
	assert_true(counted() > 0);

	on("m1,os=26.6");
	force_and_count();
	assert_int_equal(words(CYCLES_M1), 0);
	assert_int_equal(counted(), 0);
	/* Who does it all twice has its words after all. */
	force_and_count();
	assert_true(counted() > 0);
}

/* The number that the M1 has for cycles is none of the M4 and later. */
UNIT_IN(numbers_of_another_chip, NULL, shut)
{
	static const char *const machines[] = { "m4,os=26.6", "m5max,os=26.6",
						"m6", "m5ultra", "neo" };

	for (unsigned i = 0; i < LEN(machines); i++) {
		on(machines[i]);
		OK(sim_kperf()->kpc_force_all_ctrs_set(1));
		assert_int_equal(words(CYCLES_M1), EPERM);
		force_and_count();
		assert_int_equal(counted(), 0);
	}
	on("m1,os=26.6");
	OK(sim_kperf()->kpc_force_all_ctrs_set(1));
	assert_int_equal(words(CYCLES_M1), 0);
	force_and_count();
	assert_true(counted() > 0);
}

/* Before force, with hard-coded M1 numbers: what a mem-lat on an M6 saw. */
UNIT_IN(words_before_force, NULL, shut)
{
	on("m6");
	const struct kperf_api *k = sim_kperf();
	assert_int_equal(k->kpc_get_config_count(2), 5);
	assert_int_equal(k->kpc_get_counter_count(BOTH), 7);
	assert_int_equal(words(CYCLES_M1), EPERM);
	/* It is content with the fixed pair then, and that works. */
	OK(k->kpc_force_all_ctrs_set(1));
	OK(k->kpc_set_counting(1));
	OK(k->kpc_set_thread_counting(1));
	uint64_t before[FIXED] = { 0 }, after[FIXED] = { 0 };

	OK(k->kpc_get_thread_counters(0, FIXED, before));
	wait_a_moment();
	OK(k->kpc_get_thread_counters(0, FIXED, after));
	assert_true(after[0] > before[0] && after[1] > before[1]);
}
