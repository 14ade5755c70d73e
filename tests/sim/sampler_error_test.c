/* libkperf-sampler: each error has its code, its call and its advice. */
#include "sim/calls.h"
#include "sim/sampler_mac.h"

#include <errno.h>

static struct {
	int code;         /* errno of the call that fails, 0: none does */
	uint32_t classes; /* set_counting fails for these alone */
	int value;        /* force_all_ctrs_set likewise */
	int kpep;         /* what kpep_db_create answers */
} fake;

static void
setup(const char *spec)
{
	boot_with_calls(spec);
	memset(&fake, 0, sizeof(fake));
}

static struct kps_sampler *
open_fake(struct kps_error *e)
{
	struct kps_options o = through(&kpc, &kpep);

	return kps_sampler_new(&o, e);
}

static void
refused_with(const char *spec, enum kps_status code, const char *call,
	     int sys_errno)
{
	struct kps_error e;

	setup(spec);
	step_ns(2000000);
	assert_null(open_fake(&e));
	assert_int_equal(e.code, code);
	assert_string_equal(e.call, call);
	assert_int_equal(e.sys_errno, sys_errno);
	assert_non_null(strstr(e.text, call));
	assert_non_null(strstr(e.text, kps_status_advice(code)));
}

UNIT(who_has_the_counters)
{
	refused_with("m1,clock=step,euid=501", KPS_MISSING_PRIVILEGES,
		     "kpc_force_all_ctrs_get", EPERM);
	refused_with("m1,clock=step,lib=errno,fault=taken@1ms",
		     KPS_TAKEN_BY_TASK, "kpc_force_all_ctrs_set", EACCES);
	refused_with("m1,clock=step,fault=taken@1ms", KPS_TAKEN_BY_TASK,
		     "kpc_force_all_ctrs_set", EACCES);
	refused_with("vm,clock=step", KPS_NO_COUNTERS, "kpc_force_all_ctrs_get",
		     ENOENT);
	refused_with("m1,clock=step,fault=busy@1ms", KPS_TAKEN_BY_KERNEL,
		     "kpc_force_all_ctrs_get", EBUSY);
}

static int
always_fails(int *value)
{
	errno = fake.code;
	return -1;
}

UNIT(no_counters_at_all)
{
	struct kps_error e;

	setup("m1,clock=step");
	kpc.kpc_force_all_ctrs_get = always_fails;
	fake.code = ENOENT; /* as a virtual machine answers */
	assert_null(open_fake(&e));
	assert_int_equal(e.code, KPS_NO_COUNTERS);
	fake.code = ENOTSUP;
	assert_null(open_fake(&e));
	assert_int_equal(e.code, KPS_NO_COUNTERS);
	fake.code = EIO;
	assert_null(open_fake(&e));
	assert_int_equal(e.code, KPS_FORCE_FAILED);
	assert_int_equal(e.sys_errno, EIO);
}

UNIT(a_refused_event_is_named)
{
	static const char *const names[] = { "INST_ALL", "INST_BRANCH",
					     "Cycles" };
	struct machine_state before;
	struct kps_error e;

	setup("m1,clock=step,fault=refuse:0x8d@0s");
	look(&before);
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, names, 3);
	assert_false(kps_thread_start(t, &e));
	assert_int_equal(e.code, KPS_EVENT_REFUSED);
	assert_int_equal(e.sys_errno, EPERM);
	assert_string_equal(e.call, "kpc_set_config");
	assert_non_null(strstr(e.text, "INST_BRANCH (event 0x8d)"));
	kps_thread_free(t);
	kps_sampler_free(s);
	assert_as_before(&before);
	/* Where more are refused, the others are to blame as well. */
	setup("m1,clock=step,fault=refuse:*@0s");
	s = sampler_new();
	t = thread_new(s, names, 3);
	assert_false(kps_thread_start(t, &e));
	assert_int_equal(e.code, KPS_EVENT_REFUSED);
	assert_non_null(strstr(e.text, "and the other 1 too"));
	assert_null(strstr(e.text, "not the cause"));
	kps_thread_free(t);
	kps_sampler_free(s);
}

/* ---- calls of kperf that fail for good ---- */

static int
fails_for_classes(uint32_t classes)
{
	if (classes != fake.classes)
		return sim_kperf()->kpc_set_counting(classes);
	errno = fake.code;
	return -1;
}

static int
threads_fail(uint32_t classes)
{
	if (classes != fake.classes)
		return sim_kperf()->kpc_set_thread_counting(classes);
	errno = fake.code;
	return -1;
}

static int
config_fails(uint32_t classes, uint64_t *words)
{
	errno = fake.code;
	return -1;
}

static int
reading_fails(uint32_t tid, uint32_t count, uint64_t *buf)
{
	if (fake.code == 0)
		return sim_kperf()->kpc_get_thread_counters(tid, count, buf);
	errno = fake.code;
	return -1;
}

static int
force_fails(int value)
{
	if (fake.code == 0 || value != fake.value)
		return sim_kperf()->kpc_force_all_ctrs_set(value);
	errno = fake.code;
	return -1;
}

static const char *const some[] = { "INST_ALL", "Cycles" };

static void
start_fails(enum kps_status code, const char *call, int why)
{
	struct machine_state before, held;
	struct kps_error e;

	look(&before);
	fake.code = why;
	struct kps_sampler *s = open_fake(&e);
	assert_non_null(s);
	look(&held);
	struct kps_thread *t = thread_new(s, some, 2);
	assert_false(kps_thread_start(t, &e));
	assert_int_equal(e.code, code);
	assert_string_equal(e.call, call);
	assert_int_equal(e.sys_errno, why);
	assert_false(kps_thread_running(t));
	assert_as_before(&held); /* rolled back */
	kps_thread_free(t);
	kps_sampler_free(s);
	assert_as_before(&before);
}

UNIT(each_step_of_a_start)
{
	setup("m1,clock=step");
	kpc.kpc_set_counting = fails_for_classes;
	fake.classes = 3;
	start_fails(KPS_START_COUNTING, "kpc_set_counting", EIO);
	setup("m1,clock=step");
	kpc.kpc_set_thread_counting = threads_fail;
	fake.classes = 3;
	start_fails(KPS_START_THREADS, "kpc_set_thread_counting", EIO);
	setup("m1,clock=step");
	kpc.kpc_set_config = config_fails;
	start_fails(KPS_CONFIG_FAILED, "kpc_set_config", EINVAL);
	setup("m1,clock=step");
	kpc.kpc_get_thread_counters = reading_fails;
	start_fails(KPS_READ_COUNTERS, "kpc_get_thread_counters", EINVAL);
	setup("m1,clock=step");
	kpc.kpc_get_thread_counters = reading_fails;
	start_fails(KPS_TAKEN_BY_KERNEL, "kpc_get_thread_counters", EBUSY);
}

static struct kps_sampler *
start_some(struct kps_thread **t)
{
	struct kps_error e;
	struct kps_sampler *s = open_fake(&e);

	*t = thread_new(s, some, 2);
	thread_start(*t);
	return s;
}

static void
stop_fails(enum kps_status code)
{
	struct kps_error e;
	struct kps_thread *t;

	fake.classes = 99; /* not yet */
	struct kps_sampler *s = start_some(&t);
	fake.classes = 0;
	fake.code = EIO;
	assert_false(kps_thread_stop(t, &e));
	assert_int_equal(e.code, code);
	assert_false(kps_thread_running(t));
	kps_thread_free(t);
	kps_sampler_free(s);
}

UNIT(each_step_of_a_stop)
{
	struct kps_error e;
	struct kps_thread *t;
	uint64_t v[2];

	setup("m1,clock=step");
	kpc.kpc_set_counting = fails_for_classes;
	kpc.kpc_set_thread_counting = threads_fail;
	kpc.kpc_get_thread_counters = reading_fails;
	kpc.kpc_force_all_ctrs_set = force_fails;
	fake.classes = 99;
	struct kps_sampler *s = start_some(&t);
	fake.code = EIO;
	assert_false(kps_thread_sample(t, v, &e));
	assert_int_equal(e.code, KPS_READ_COUNTERS);
	assert_int_equal(e.sys_errno, EIO);
	fake.code = 0;
	assert_true(kps_thread_sample(t, v, &e));
	/* Thread counting alone fails: counting has stopped before. */
	kpc.kpc_set_counting = sim_kperf()->kpc_set_counting;
	kps_thread_free(t);
	kps_sampler_free(s);

	setup("m1,clock=step");
	kpc.kpc_set_thread_counting = threads_fail;
	stop_fails(KPS_STOP_THREADS);
	setup("m1,clock=step");
	kpc.kpc_set_counting = fails_for_classes;
	stop_fails(KPS_STOP_COUNTING);

	setup("m1,clock=step");
	kpc.kpc_force_all_ctrs_set = force_fails;
	s = open_fake(&e);
	fake.code = EIO; /* giving back fails, twice */
	assert_false(kps_sampler_release(s, &e));
	assert_int_equal(e.code, KPS_RESET_CONTROL);
	assert_string_equal(e.call, "kpc_force_all_ctrs_set");
	kps_sampler_free(s);

	setup("m1,clock=step");
	kpc.kpc_force_all_ctrs_set = force_fails;
	fake.value = 1;
	fake.code = EIO;
	assert_null(open_fake(&e));
	assert_int_equal(e.code, KPS_FORCE_FAILED);
}

/* What could not be given back is ours to the next sampler, not found. */
UNIT(given_back_by_the_next)
{
	struct machine_state before;
	struct kps_error e;
	struct kps_thread *t;

	setup("m1,clock=step,fault=busy@1s-2s");
	leave_traces(1, 0, 0x2008c);
	look(&before);
	struct kps_sampler *s = start_some(&t);
	step_ns(1500000000);
	assert_false(kps_sampler_release(s, &e));
	assert_int_equal(e.code, KPS_RESET_CONTROL);
	kps_thread_free(t);
	kps_sampler_free(s);
	step_ns(1500000000);
	s = open_fake(&e);
	assert_non_null(s);
	assert_true(kps_sampler_release(s, &e));
	kps_sampler_free(s);
	assert_as_before(&before);
}

/* ---- kperfdata ---- */

static int
db_create_answers(const char *name, struct kpep_db **db)
{
	*db = NULL;
	errno = fake.code;
	return fake.kpep;
}

UNIT(every_code_of_kperfdata)
{
	struct kps_error e;

	setup("m1,clock=step");
	kpep.kpep_db_create = db_create_answers;
	for (int code = 1; code <= 16; code++) {
		fake.kpep = code;
		fake.code = EIO;
		assert_null(open_fake(&e));
		assert_int_equal(e.code, KPS_KPEP_NONE + code);
		assert_int_equal(e.framework_code, code);
		assert_string_equal(e.call, "kpep_db_create");
		if (code == KPEP_ERRNO)
			assert_int_equal(e.sys_errno, EIO);
	}
	fake.kpep = KPEP_ERRNO;
	fake.code = EPERM;
	assert_null(open_fake(&e));
	assert_int_equal(e.code, KPS_MISSING_PRIVILEGES);
	assert_int_equal(e.framework_code, KPEP_ERRNO);
	fake.kpep = 77;
	assert_null(open_fake(&e));
	assert_int_equal(e.code, KPS_FRAMEWORK);
	assert_int_equal(e.framework_code, 77);
	assert_non_null(strstr(e.text, "unknown error 77"));
	fake.kpep = 0;
	assert_null(open_fake(&e));
	assert_int_equal(e.code, KPS_NULL_POINTER);
}

UNIT(events_that_do_not_exist_here)
{
	static const char *const sme[] = { "Cycles", "InstSmeEngineLd" };
	struct kps_error e;
	const char *none = NULL;

	setup("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	assert_null(kps_thread_new(s, sme, 2, &e));
	assert_int_equal(e.code, KPS_EVENT_UNAVAILABLE);
	assert_non_null(strstr(e.text, "a14"));
	assert_non_null(strstr(e.text, "InstSmeEngineLd"));
	assert_null(kps_thread_new(s, &none, 1, &e));
	assert_int_equal(e.code, KPS_EVENT_UNAVAILABLE);
	assert_null(kps_thread_new(s, sme, 0, &e));
	assert_int_equal(e.code, KPS_USAGE);
	assert_null(kps_cpus_new(s, sme, 33, &e));
	assert_int_equal(e.code, KPS_USAGE);
	kps_sampler_free(s);
}

UNIT(released_means_released)
{
	struct kps_error e;

	setup("m1,clock=step");
	struct kps_sampler *s = sampler_new();
	struct kps_thread *t = thread_new(s, some, 2);
	assert_true(kps_sampler_release(s, &e));
	assert_false(kps_thread_start(t, &e));
	assert_int_equal(e.code, KPS_RELEASED);
	assert_false(kps_sampler_check(s, &e));
	assert_int_equal(e.code, KPS_RELEASED);
	kps_sampler_free(s);
	assert_false(kps_thread_start(t, &e));
	assert_int_equal(e.code, KPS_RELEASED);
	kps_thread_free(t);
	struct kps_options o = in_process();
	o.kperfdata = NULL;
	assert_null(kps_sampler_new(&o, &e));
	assert_int_equal(e.code, KPS_USAGE);
	o = in_process();
	o.cpus = 0; /* nobody says how many rows there are */
	s = kps_sampler_new(&o, &e);
	assert_non_null(s);
	assert_null(kps_cpus_new(s, some, 2, &e));
	assert_int_equal(e.code, KPS_USAGE);
	kps_sampler_free(s);
	assert_null(kps_load("/no/such/kperf", "/no/such/data", &e));
	assert_int_equal(e.code, KPS_LOAD);
	assert_non_null(strstr(e.text, "/no/such/kperf"));
}

UNIT(every_status_has_words)
{
	unsigned n = 0;

	for (int code = 0; code < 200; code++) {
		const char *name = kps_status_name((enum kps_status)code);

		if (name == NULL) {
			assert_null(kps_status_text((enum kps_status)code));
			continue;
		}
		n++;
		assert_true(strncmp(name, "KPS_", 4) == 0);
		assert_true(strlen(kps_status_text((enum kps_status)code)) > 5);
	}
	/* none, the crates' 17, sixteen of our own, kperfdata's 0 to 16 */
	assert_int_equal(n, 1 + 17 + 16 + 17);
	assert_int_equal(KPS_NOT_RUNNING, 17);
	assert_true(strcmp(kps_status_advice(KPS_MISSING_PRIVILEGES),
			   kps_status_advice(KPS_TAKEN_BY_TASK)) != 0);
	assert_true(strcmp(kps_status_advice(KPS_TAKEN_BY_KERNEL),
			   kps_status_advice(KPS_TAKEN_BY_TASK)) != 0);
	assert_string_equal(kps_status_name(KPS_KPEP_CONFLICT),
			    "KPS_KPEP_CONFLICT");
	assert_string_equal(kps_chip_name(KPS_CHIP_M4), "M4");
	assert_string_equal(kps_chip_name(KPS_CHIP_UNKNOWN), "unknown");
	assert_string_not_equal(kps_version(), "");
	assert_int_equal(kps_abi(), KPS_ABI);
}
