/*
 * Every call of the frameworks and the host fails once, for each n-th call of
 * a whole run: the machine must always be left as it was found.
 */
#include "model/slots.h"
#include "sim/sim.h"
#include "source/kperf.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static struct {
	unsigned calls, fail_at; /* fail_at 0: never */
	int code;
	const char *failed;
} shim;

/* Is it this call's turn? */
static bool
turn(const char *name)
{
	if (++shim.calls != shim.fail_at)
		return false;
	shim.failed = name;
	errno = shim.code;
	return true;
}

/* The frameworks' functions that the source calls, each with its failure. */
/* clang-format off */
#define KPC_CALLS(X) \
	X(int, kpc_cpu_string, (char *b, size_t n), (b, n), -1) \
	X(uint32_t, kpc_pmu_version, (void), (), 0) \
	X(uint32_t, kpc_get_counting, (void), (), 0) \
	X(int, kpc_set_counting, (uint32_t c), (c), -1) \
	X(uint32_t, kpc_get_config_count, (uint32_t c), (c), 0) \
	X(uint32_t, kpc_get_counter_count, (uint32_t c), (c), 0) \
	X(int, kpc_get_config, (uint32_t c, uint64_t *w), (c, w), -1) \
	X(int, kpc_set_config, (uint32_t c, uint64_t *w), (c, w), -1) \
	X(int, kpc_get_cpu_counters, \
	  (bool a, uint32_t c, int *i, uint64_t *b), (a, c, i, b), -1) \
	X(int, kpc_force_all_ctrs_set, (int v), (v), -1) \
	X(int, kpc_force_all_ctrs_get, (int *v), (v), -1)

#define KPEP_CALLS(X) \
	X(int, kpep_db_create, (const char *n, struct kpep_db **d), (n, d), 7) \
	X(int, kpep_db_name, (struct kpep_db *d, const char **n), (d, n), 1) \
	X(int, kpep_db_aliases_count, (struct kpep_db *d, size_t *n), \
	  (d, n), 1) \
	X(int, kpep_db_counters_count, \
	  (struct kpep_db *d, uint8_t c, size_t *n), (d, c, n), 1) \
	X(int, kpep_db_events_count, (struct kpep_db *d, size_t *n), \
	  (d, n), 1) \
	X(int, kpep_db_events, \
	  (struct kpep_db *d, struct kpep_event **b, size_t n), (d, b, n), 4) \
	X(int, kpep_event_name, (struct kpep_event *v, const char **t), \
	  (v, t), 1) \
	X(int, kpep_event_alias, (struct kpep_event *v, const char **t), \
	  (v, t), 1) \
	X(int, kpep_config_create, \
	  (struct kpep_db *d, struct kpep_config **c), (d, c), 2) \
	X(int, kpep_config_force_counters, (struct kpep_config *c), (c), 1) \
	X(int, kpep_config_add_event, \
	  (struct kpep_config *c, struct kpep_event **v, uint32_t f, \
	   uint32_t *r), (c, v, f, r), 12) \
	X(int, kpep_config_kpc_classes, \
	  (struct kpep_config *c, uint32_t *n), (c, n), 1) \
	X(int, kpep_config_kpc_count, (struct kpep_config *c, size_t *n), \
	  (c, n), 1) \
	X(int, kpep_config_kpc, \
	  (struct kpep_config *c, uint64_t *b, size_t n), (c, b, n), 4) \
	X(int, kpep_config_kpc_map, \
	  (struct kpep_config *c, size_t *b, size_t n), (c, b, n), 4)

#define KPC_SHIM(type, name, params, args, failure) \
	static type shim_##name params \
	{ \
		if (turn(#name)) \
			return failure; \
		return sim_kperf()->name args; \
	}
#define KPEP_SHIM(type, name, params, args, failure) \
	static type shim_##name params \
	{ \
		if (turn(#name)) \
			return failure; \
		return sim_kperfdata()->name args; \
	}
/* clang-format on */

KPC_CALLS(KPC_SHIM)
KPEP_CALLS(KPEP_SHIM)

static int
shim_sysctl(const char *name, void *old, size_t *old_size, const void *fresh,
	    size_t fresh_size)
{
	if (turn(name))
		return -1;
	return sim_host()->sysctl(name, old, old_size, fresh, fresh_size);
}

static int
shim_cpu_nodes(struct host_cpu_node *out, int max)
{
	return turn("cpu_nodes") ? -1 : sim_host()->cpu_nodes(out, max);
}

static int
shim_cpu_load(struct host_cpu_load *out, int max)
{
	return turn("cpu_load") ? -1 : sim_host()->cpu_load(out, max);
}

static struct kperf_api kpc;
static struct kperfdata_api kpep;
static struct host_api host;

static void
wrap(void)
{
	kpc = *sim_kperf();
	kpep = *sim_kperfdata();
	host = *sim_host();
#define KPC_SET(type, name, params, args, failure) kpc.name = shim_##name;
#define KPEP_SET(type, name, params, args, failure) kpep.name = shim_##name;
	KPC_CALLS(KPC_SET)
	KPEP_CALLS(KPEP_SET)
	host.sysctl = shim_sysctl;
	host.cpu_nodes = shim_cpu_nodes;
	host.cpu_load = shim_cpu_load;
}

struct state { /* what must be as before */
	int force;
	uint32_t counting, thread_counting, nwords;
	uint64_t word[KPC_MAX_COUNTERS];
};

static void
look(struct state *s)
{
	const struct kperf_api *k = sim_kperf();

	memset(s, 0, sizeof(*s));
	assert_int_equal(k->kpc_force_all_ctrs_get(&s->force), 0);
	s->counting = k->kpc_get_counting();
	s->thread_counting = k->kpc_get_thread_counting();
	s->nwords = k->kpc_get_config_count(2);
	assert_int_equal(k->kpc_get_config(2, s->word), 0);
}

static bool
make_set(const struct source *s, const char *a, const char *b,
	 struct eventset *out)
{
	const struct catalog *c = s->info.catalog;
	const struct event *want[2];

	if (c == NULL)
		return false;
	want[0] = catalog_find(c, a);
	want[1] = catalog_find(c, b);
	return want[0] != NULL && want[1] != NULL &&
	       slots_place(c, want, 2, out, NULL);
}

/* After each call the source must say one consistent thing. */
static void
read_once(struct source *s, struct sample *sample)
{
	struct stamp now;

	assert_int_equal(kperf_read(s, sample, NULL), SOURCE_OK);
	assert_int_equal(sample->set->len, s->info.set->len);
	clock_now(s->info.clock, &now);
	s->info.clock->step(s->info.clock->self, now.awake_ns + 100000000);
}

static bool
program(struct source *s, const char *a, const char *b)
{
	unsigned len = s->info.set->len;
	struct err e = { ERR_NONE, "" };
	struct eventset set;

	memset(&set, 0, sizeof(set));
	if (!make_set(s, a, b, &set))
		return false;
	if (kperf_program(s, &set, &e))
		return true;
	/* Atomic: the old set, and a sentence. */
	assert_int_equal(s->info.set->len, len);
	assert_string_not_equal(e.text, "");
	assert_int_not_equal(e.code, ERR_NONE);
	return false;
}

/* A whole run; true when nothing in it failed. */
static bool
whole_run(void)
{
	static const struct source_options o = { .sim = NULL };
	struct source *s = kperf_open_with(&kpc, &kpep, &host, "sim", &o, NULL);
	struct sample *sample;
	bool ok;

	if (s == NULL)
		return false;
	ok = s->info.mode == SOURCE_IPC;
	sample = sample_new(s->info.topology->ncpus, NULL);
	assert_non_null(sample);
	ok &= program(s, "INST_ALL", "CORE_ACTIVE_CYCLE");
	for (int i = 0; i < 3; i++)
		read_once(s, sample);
	ok &= program(s, "INST_BRANCH", "BRANCH_MISPRED_NONSPEC");
	for (int i = 0; i < 4; i++)
		read_once(s, sample);
	/* Whatever failed before, this far it has recovered. */
	if (ok && shim.failed == NULL)
		assert_int_equal(sample->flags, 0);
	if (s->info.mode == SOURCE_FULL)
		assert_int_equal(sample->flags & SAMPLE_BASELINE, 0);
	ok &= kperf_program(s, NULL, NULL);
	assert_int_not_equal(s->info.mode, SOURCE_FULL);
	ok &= program(s, "INST_ALL", "INST_BRANCH");
	read_once(s, sample);
	sample_free(sample);
	kperf_close(s);
	assert_null((void *)(uintptr_t)source_rescue);
	return ok;
}

/* What another tool may have left: words, and counters that run. */
static void
leave_traces(uint32_t counting, uint64_t number)
{
	const struct kperf_api *k = sim_kperf();
	uint64_t word[KPC_MAX_COUNTERS] = { 0 };
	uint32_t n;

	assert_int_equal(k->kpc_force_all_ctrs_set(1), 0);
	n = k->kpc_get_config_count(2);
	for (uint32_t i = 0; i < n; i++)
		word[i] = number;
	assert_int_equal(k->kpc_set_config(2, word), 0);
	assert_int_equal(k->kpc_set_counting(counting), 0);
	assert_int_equal(k->kpc_force_all_ctrs_set(0), 0);
	if (counting != 0)
		assert_int_equal(k->kpc_set_counting(counting), 0);
}

static void
fail_each(const char *spec, int code, uint32_t found_counting,
	  uint64_t found_number)
{
	struct state before, after;
	unsigned n;
	bool ok = false;

	for (n = 1; !ok && n < 3000; n++) {
		struct err e;

		sim_stop();
		if (!sim_start(spec, &e))
			fail_msg("%s: %s", spec, e.text);
		if (found_number != 0)
			leave_traces(found_counting, found_number);
		wrap();
		look(&before);
		shim.calls = 0;
		shim.fail_at = n;
		shim.code = code;
		shim.failed = NULL;
		ok = whole_run() && shim.failed == NULL;
		look(&after);
		sim_stop();
		if (memcmp(&before, &after, sizeof(before)) != 0)
			fail_msg("%s: call %u, %s, failed with %d: force %d "
				 "to %d, counting %u to %u, word %#llx to "
				 "%#llx",
				 spec, n, shim.failed, code, before.force,
				 after.force, before.counting, after.counting,
				 (unsigned long long)before.word[0],
				 (unsigned long long)after.word[0]);
	}
	assert_true(ok); /* the last run met no failure at all */
	assert_true(n > 100);
	printf("  %s, errno %d: %u calls\n", spec, code, n - 1);
}

static void
a_machine_that_nobody_touched(void **state)
{
	(void)state;
	fail_each("m1,clock=step", EPERM, 0, 0);
	fail_each("m1,clock=step,os=15.5", EBUSY, 0, 0);
	fail_each("m1,clock=step,pm=0,lib=errno", ENOMEM, 0, 0);
}

static void
a_machine_with_traces_of_another_tool(void **state)
{
	(void)state;
	fail_each("m4,clock=step", EPERM, 3, 0x08);
	fail_each("m1,clock=step,os=14.5", EBUSY, 1, 0x8c);
	fail_each("m5max,clock=step", EACCES, 0, 0x08);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_machine_that_nobody_touched),
		cmocka_unit_test(a_machine_with_traces_of_another_tool),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
