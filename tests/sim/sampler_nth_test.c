/*
 * libkperf-sampler: every call of the frameworks fails once, for each n-th
 * call of a whole run: the machine is always left as it was found.
 */
#include <stdlib.h>

#include "sim/sampler_mac.h"

#include <errno.h>

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

/* The functions that the library calls, each with its failure. */
/* clang-format off */
#define KPC_CALLS(X) \
	X(uint32_t, kpc_get_counting, (void), (), 0) \
	X(int, kpc_set_counting, (uint32_t c), (c), -1) \
	X(uint32_t, kpc_get_thread_counting, (void), (), UINT32_MAX) \
	X(int, kpc_set_thread_counting, (uint32_t c), (c), -1) \
	X(uint32_t, kpc_get_config_count, (uint32_t c), (c), 0) \
	X(uint32_t, kpc_get_counter_count, (uint32_t c), (c), 0) \
	X(int, kpc_get_config, (uint32_t c, uint64_t *w), (c, w), -1) \
	X(int, kpc_set_config, (uint32_t c, uint64_t *w), (c, w), -1) \
	X(int, kpc_get_cpu_counters, \
	  (bool a, uint32_t c, int *i, uint64_t *b), (a, c, i, b), -1) \
	X(int, kpc_get_thread_counters, \
	  (uint32_t t, uint32_t n, uint64_t *b), (t, n, b), -1) \
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
	X(int, kpep_event_description, (struct kpep_event *v, const char **t), \
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
	  (struct kpep_config *c, size_t *b, size_t n), (c, b, n), 15)

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

static struct kperf_api kpc;
static struct kperfdata_api kpep;

static void
wrap(void)
{
	kpc = *sim_kperf();
	kpep = *sim_kperfdata();
#define KPC_SET(type, name, params, args, failure) kpc.name = shim_##name;
#define KPEP_SET(type, name, params, args, failure) kpep.name = shim_##name;
	KPC_CALLS(KPC_SET)
	KPEP_CALLS(KPEP_SET)
}

/* Whatever fails must say so: a code, a sentence. */
static bool
told(bool ok, struct kps_error *e)
{
	if (!ok) {
		assert_int_not_equal(e->code, KPS_OK);
		assert_non_null(kps_status_name(e->code));
		assert_string_not_equal(e->text, "");
	}
	memset(e, 0, sizeof(*e));
	return ok;
}

static const char *const one[] = { "INST_ALL", "Cycles", "L1D_TLB_MISS" };
static const char *const two[] = { "BRANCH_MISPRED_NONSPEC", "INST_ALL" };

/* Both samplers count at once; true when nothing in it failed. */
static bool
count(struct kps_sampler *s, struct kps_sampler *r, struct kps_error *e)
{
	struct kps_thread *t = kps_thread_new(s, one, 3, e);
	struct kps_cpus *c;
	uint64_t v[3], rows[64];
	bool ok = told(t != NULL, e), runs;

	c = kps_cpus_new(r, two, 2, e);
	ok &= told(c != NULL, e);
	runs = t != NULL && kps_thread_start(t, e);
	ok &= t == NULL || told(runs, e);
	if (c != NULL)
		ok &= told(kps_cpus_start(c, e), e);
	if (t != NULL) /* a start of another does not stop it */
		assert_int_equal(kps_thread_running(t), runs);
	if (runs)
		ok &= told(kps_thread_sample(t, v, e), e);
	if (c != NULL && kps_cpus_running(c))
		ok &= told(kps_cpus_sample(c, rows, NULL, e), e);
	if (runs)
		ok &= told(kps_thread_stop(t, e), e);
	if (c != NULL)
		ok &= told(kps_cpus_stop(c, e), e);
	if (t != NULL) {
		ok &= told(kps_thread_start(t, e), e);
		ok &= told(kps_sampler_check(s, e), e);
	}
	kps_thread_free(t);
	kps_cpus_free(c);
	return ok;
}

static bool
whole_run(void)
{
	struct kps_options o = in_process();
	struct kps_sampler *s, *r;
	struct kps_error e = { KPS_OK, 0, 0, NULL, "" };
	bool ok;

	o.kperf = &kpc;
	o.kperfdata = &kpep;
	s = kps_sampler_new(&o, &e);
	ok = told(s != NULL, &e);
	r = kps_sampler_new(&o, &e);
	ok &= told(r != NULL, &e);
	if (s != NULL && r != NULL)
		ok &= count(s, r, &e);
	if (s != NULL)
		ok &= told(kps_sampler_release(s, &e), &e);
	kps_sampler_free(r);
	kps_sampler_free(s);
	return ok;
}

static void
fail_each(const char *spec, int code, uint32_t counting, uint32_t threads,
	  uint64_t number)
{
	struct machine_state before, after;
	/* Every call with KTOP_LONG=1 (as CI does), else every third. */
	unsigned n, silent = 0, step = getenv("KTOP_LONG") != NULL ? 1 : 3;
	bool done = false;

	for (n = 1; !done && n < 5000; n += step) {
		bool ok;

		boot(spec);
		if (number != 0)
			leave_traces(counting, threads, number);
		wrap();
		look(&before);
		shim.calls = 0;
		shim.fail_at = n;
		shim.code = code;
		shim.failed = NULL;
		ok = whole_run();
		done = shim.failed == NULL;
		assert_true(ok || !done);
		silent += ok && !done;
		look(&after);
		if (memcmp(&before, &after, sizeof(before)) != 0)
			fail_msg("%s: call %u, %s, failed with %d: force %d "
				 "to %d, counting %u to %u, threads %u to %u, "
				 "word %#llx to %#llx",
				 spec, n, shim.failed, code, before.force,
				 after.force, before.counting, after.counting,
				 before.threads, after.threads,
				 (unsigned long long)before.word[0],
				 (unsigned long long)after.word[0]);
		sim_stop();
	}
	assert_true(done);
	assert_true(n > 100);
	printf("  %s, errno %d: %u calls, %u of them made good\n", spec, code,
	       n - 1 - step, silent);
}

static void
a_machine_that_nobody_touched(void **state)
{
	(void)state;
	fail_each("m1,clock=step", EPERM, 0, 0, 0);
	fail_each("m1,clock=step,os=15.5", EBUSY, 0, 0, 0);
	fail_each("m1,clock=step,pm=0,lib=errno", ENOMEM, 0, 0, 0);
	fail_each("m5max,clock=step,layout=48", EINVAL, 0, 0, 0);
}

static void
a_machine_with_traces_of_another_tool(void **state)
{
	(void)state;
	fail_each("m4,clock=step", EPERM, 3, 3, 0x08);
	fail_each("m1,clock=step,os=14.5", EBUSY, 1, 0, 0x8c);
	fail_each("m5max,clock=step", EACCES, 0, 1, 0x08);
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
