/*
 * libkperf-sampler: every call of the frameworks fails once, for each n-th
 * call of a whole run: the machine is always left as it was found.
 */
#include <stdlib.h>

#include "sim/nth_shim.h"
#include "sim/sampler_mac.h"

#include <errno.h>

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
	uint64_t v[3], rows[64];
	bool ok = told(t != NULL, e), runs;

	struct kps_cpus *c = kps_cpus_new(r, two, 2, e);
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
	struct kps_options o = through(&kpc, &kpep);
	struct kps_sampler *s, *r;
	struct kps_error e = { KPS_OK, 0, 0, NULL, "" };

	s = kps_sampler_new(&o, &e);
	bool ok = told(s != NULL, &e);
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
	/* Every call with KTOP_LONG=1 (as CI does), else every 19th. */
	unsigned n, silent = 0, step = getenv("KTOP_LONG") != NULL ? 1 : 19;
	bool done = false;

	for (n = 1; !done && n < 5000; n += step) {
		bool ok;

		boot(spec);
		if (number != 0)
			leave_traces(counting, threads, number);
		wrap();
		ok = fail_nth(spec, n, code, whole_run);
		done = shim.failed == NULL;
		assert_true(ok || !done);
		silent += ok && !done;
		sim_stop();
	}
	assert_true(done);
	assert_true(n > 100);
	printf("  %s, errno %d: %u calls, %u of them made good\n", spec, code,
	       n - 1 - step, silent);
}

UNIT(a_machine_that_nobody_touched)
{
	fail_each("m1,clock=step", EPERM, 0, 0, 0);
	fail_each("m1,clock=step,os=15.5", EBUSY, 0, 0, 0);
	fail_each("m1,clock=step,pm=0,lib=errno", ENOMEM, 0, 0, 0);
	fail_each("m5max,clock=step,layout=48", EINVAL, 0, 0, 0);
}

UNIT(a_machine_with_traces_of_another_tool)
{
	fail_each("m4,clock=step", EPERM, 3, 3, 0x08);
	fail_each("m1,clock=step,os=14.5", EBUSY, 1, 0, 0x8c);
	fail_each("m5max,clock=step", EACCES, 0, 1, 0x08);
}
