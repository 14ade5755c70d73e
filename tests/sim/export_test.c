/*
 * libkperf-sim.so, used as programs for the frameworks do: dlopen, dlsym, the
 * order of calls of the well-known demonstration, its own thread's counters.
 * The library stands beside the tests' folder, or where KTOP_SIM_SO says.
 */
#include "sim/library.h"

#include <errno.h>

static int
library_load(void **state)
{
	return library_open("m1,clock=step,seed=2");
}

static int
library_close(void **state)
{
	return library_shut();
}

static void
second(int n)
{
	host->clock.step(host->clock.self, 1000000000000 + n * 1000000000LL);
}

static void
host_struct(void **state)
{
	assert_int_equal(host->version, HOST_VERSION);
	/* Tracing goes through it as well: nobody does. */
	int32_t info[5] = { 0 };
	size_t size = sizeof(info);
	OK(host->system->kdebug(5, 0, info, &size));
	assert_int_equal(size, sizeof(info));
	assert_int_equal(info[4], -1);
	assert_false(host->system->kdebug_is_enabled(0x25060020));
	assert_true(host->simulated && host->clock.stepped);
	assert_string_equal(host->text, "simulated Apple M1, seed 2");
}

/* Events by the first name that exists, in the demonstration's order. */
static void
own_thread(void **state)
{
	static const char *const names[4][3] = {
		{ "FIXED_CYCLES", "CPU_CLK_UNHALTED.THREAD", NULL },
		{ "FIXED_INSTRUCTIONS", "INST_RETIRED.ANY", NULL },
		{ "INST_BRANCH", "BR_INST_RETIRED.ALL_BRANCHES", NULL },
		{ "BRANCH_MISPRED_NONSPEC", "BRANCH_MISPREDICT", NULL },
	};
	struct kpep_db *db = NULL;
	struct kpep_config *config = NULL;
	uint64_t words[32] = { 0 }, before[32] = { 0 }, after[32] = { 0 };
	uint64_t got[4];
	size_t map[32] = { 0 }, nwords = 0;
	uint32_t classes = 0;
	int forced = -1;

	OK(kperf.kpc_force_all_ctrs_get(&forced));
	OK(kpep.kpep_db_create(NULL, &db));
	OK(kpep.kpep_config_create(db, &config));
	OK(kpep.kpep_config_force_counters(config));
	for (int i = 0; i < 4; i++) {
		struct kpep_event *event = NULL;
		for (int n = 0; names[i][n] && event == NULL; n++)
			(void)kpep.kpep_db_event(db, names[i][n], &event);
		assert_non_null(event);
		OK(kpep.kpep_config_add_event(config, &event, 0, NULL));
	}
	OK(kpep.kpep_config_kpc_classes(config, &classes));
	assert_int_equal(classes, 3);
	OK(kpep.kpep_config_kpc_count(config, &nwords));
	assert_int_equal(nwords, 8);
	OK(kpep.kpep_config_kpc_map(config, map, sizeof(map)));
	OK(kpep.kpep_config_kpc(config, words, sizeof(words)));
	OK(kperf.kpc_force_all_ctrs_set(1));
	OK(kperf.kpc_set_config(classes, words));
	OK(kperf.kpc_set_counting(classes));
	OK(kperf.kpc_set_thread_counting(classes));
	/* 32 elements, as the demonstration does; 10 are used */
	OK(kperf.kpc_get_thread_counters(0, 32, before));
	second(2);
	OK(kperf.kpc_get_thread_counters(0, 32, after));
	kperf.kpc_set_counting(0);
	kperf.kpc_set_thread_counting(0);
	kperf.kpc_force_all_ctrs_set(0);
	for (int i = 0; i < 4; i++)
		got[i] = after[map[i]] - before[map[i]];
	printf("%llu cycles, %llu instructions, %llu branches, %llu missed\n",
	       (unsigned long long)got[0], (unsigned long long)got[1],
	       (unsigned long long)got[2], (unsigned long long)got[3]);
	assert_true(got[0] > 0 && got[1] > got[0] && got[1] > got[2]);
	assert_true(got[2] > got[3] && got[3] > 0);
	kpep.kpep_config_free(config);
	kpep.kpep_db_free(db);
}

static void
all_cpus(void **state)
{
	uint64_t a[16], b[16];
	int cpu = -1;

	second(10);
	OK(kperf.kpc_get_cpu_counters(true, 1, &cpu, a));
	second(11);
	OK(kperf.kpc_get_cpu_counters(true, 1, &cpu, b));
	for (int i = 0; i < 16; i += 2) {
		/* 3204 MHz is the fastest an M1 goes */
		assert_true(b[i] > a[i] && b[i] - a[i] <= 3204002000);
		assert_true(b[i + 1] > a[i + 1]);
		assert_true(b[i + 1] - a[i + 1] < 5 * (b[i] - a[i]));
	}
	assert_int_equal(cpu, 4);
}

static void *
more(const char *name)
{
	void *at = dlsym(lib, name);

	if (at == NULL)
		fail_msg("no %s", name);
	return at;
}

/* What the kernel's own tests of the counters and other programs use. */
static void
beside_the_57(void **state)
{
	int (*createx)(const char *, uint32_t, struct kpep_db **);
	int (*trigger)(struct kpep_config *, struct kpep_event **, uint32_t,
		       uint64_t, uint32_t *);
	int (*apply)(struct kpep_config *);
	int (*get_period)(uint32_t, uint64_t *);
	int (*set_action)(uint32_t, uint32_t *),
		(*get_action)(uint32_t, uint32_t *);
	struct kpep_db *db = NULL;
	struct kpep_config *config = NULL;
	struct kpep_event *event = NULL;
	uint64_t words[32] = { 0 }, period[32] = { 0 };
	uint32_t action[32] = { 1, 2, 3 }, got[32] = { 0 };

	*(void **)&createx = more("kpep_db_createx");
	*(void **)&trigger = more("kpep_config_add_event_trigger");
	*(void **)&apply = more("kpep_config_apply");
	*(void **)&get_period = more("kpc_get_period");
	*(void **)&set_action = more("kpc_set_actionid");
	*(void **)&get_action = more("kpc_get_actionid");
	(void)more("kpc_set_period");
	(void)more("kpc_counterbuf_alloc");
	(void)more("kpc_counterbuf_free");
	(void)more("kpep_config_kpc_periods");
	assert_int_equal(createx(NULL, 3, &db), KPEP_INVALID_ARGUMENT);
	assert_int_equal(createx(NULL, 2, &db), KPEP_DB_NOT_FOUND);
	assert_int_equal(createx(NULL, 1, &db), KPEP_OK);
	OK(kpep.kpep_config_create(db, &config));
	OK(kpep.kpep_config_force_counters(config));
	OK(kpep.kpep_db_event(db, "MAP_STALL", &event));
	for (unsigned i = 0; i < 8; i++) /* one event on every counter */
		assert_int_equal(trigger(config, &event, 1, 1000000 + i, NULL),
				 KPEP_OK);
	assert_int_equal(trigger(config, &event, 1, 1, NULL), KPEP_CONFLICT);
	assert_int_equal(apply(config), KPEP_OK);
	OK(kperf.kpc_get_config(2, words));
	assert_int_equal(get_period(2, period), 0);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(words[i], 0x20076);
		assert_int_equal(period[i], 1000000 + i);
	}
	assert_int_equal(set_action(2, action), 0);
	assert_int_equal(get_action(2, got), 0);
	assert_memory_equal(got, action, 8 * sizeof(got[0]));
	OK(kperf.kpc_force_all_ctrs_set(0));
	kpep.kpep_config_free(config);
	kpep.kpep_db_free(db);
}

/* The system's own calls, for programs that trace. */
static void
sysctls(void **state)
{
	int (*by_name)(const char *, void *, size_t *, void *, size_t);
	int (*by_mib)(int *, unsigned, void *, size_t *, void *, size_t);
	bool (*traced)(uint32_t);
	void *at[] = { dlsym(lib, "sysctlbyname"), dlsym(lib, "sysctl"),
		       dlsym(lib, "kdebug_is_enabled") };
	int flags[] = { 1, 24, 2, 0 }, none[] = { 1, 24 }, other[] = { 6, 99 };
	int cpus[] = { 6, 3 };
	int32_t mask = 0, off = 0, n = 0, named = 0;
	size_t size = sizeof(mask);

	assert_true(at[0] != NULL && at[1] != NULL && at[2] != NULL);
	memcpy(&by_name, &at[0], sizeof(at[0]));
	memcpy(&by_mib, &at[1], sizeof(at[1]));
	memcpy(&traced, &at[2], sizeof(at[2]));
	assert_int_equal(by_mib(flags, 4, NULL, NULL, NULL, 0), 0);
	assert_int_equal(by_name("ktrace.active_mask", &mask, &size, NULL, 0),
			 0);
	assert_int_equal(mask, 1);
	assert_false(traced(0x25060020));
	errno = 0;
	assert_int_equal(by_mib(none, 2, NULL, NULL, NULL, 0), -1);
	assert_int_equal(errno, ENOTSUP);
	assert_int_equal(by_mib(other, 2, NULL, NULL, NULL, 0), -1);
	assert_int_equal(errno, ENOENT);
	size = sizeof(n);
	assert_int_equal(by_mib(cpus, 2, &n, &size, NULL, 0), 0);
	assert_int_equal(by_name("hw.ncpu", &named, &size, NULL, 0), 0);
	assert_int_equal(n, named);
	assert_true(n > 0);
	assert_int_equal(by_name("kperf.sampling", NULL, NULL, &off, 4), 0);
	OK(kperf.kperf_reset());
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(host_struct), cmocka_unit_test(own_thread),
		cmocka_unit_test(all_cpus),    cmocka_unit_test(beside_the_57),
		cmocka_unit_test(sysctls),
	};

	self = argv[0];
	return cmocka_run_group_tests(tests, library_load, library_close);
}
