/*
 * SIGKILL before each of the calls that take tracing of the kernel and give it
 * back: nobody is kept from tracing by who has died, and what is left is seen
 * and can be ended.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kperf/trace.h"
#include "sim/sim.h"

enum { CLEAR_FLAGS = 2, FOREGROUND = 1, RECORDS = 4096, STEPS_MOST = 200 };

static unsigned steps; /* calls until the end; 0: none */
static struct kperf_api api;
static char spec[128], file[80];

static void
step(void)
{
	if (steps > 0 && --steps == 0)
		(void)raise(SIGKILL);
}

static int
by_name(const char *name, void *old, size_t *old_size, const void *fresh,
	size_t fresh_size)
{
	step();
	return sim_host()->sysctl(name, old, old_size, fresh, fresh_size);
}

static int
kdebug(int op, int value, void *at, size_t *size)
{
	step();
	return sim_host()->system->kdebug(op, value, at, size);
}

static bool
is_enabled(uint32_t debugid)
{
	return sim_host()->system->kdebug_is_enabled(debugid);
}

static const struct kperf_system system_then = { by_name, kdebug, is_enabled };

#define STEPPED(name, arguments, passed)         \
	static int name arguments                \
	{                                        \
		step();                          \
		return sim_kperf()->name passed; \
	}
STEPPED(kperf_action_count_set, (uint32_t n), (n))
STEPPED(kperf_action_samplers_set, (uint32_t a, uint32_t b), (a, b))
STEPPED(kperf_action_filter_set_by_pid, (uint32_t a, int32_t b), (a, b))
STEPPED(kperf_timer_count_set, (uint32_t n), (n))
STEPPED(kperf_timer_action_set, (uint32_t a, uint32_t b), (a, b))
STEPPED(kperf_timer_period_set, (uint32_t a, uint64_t b), (a, b))
STEPPED(kperf_timer_pet_set, (uint32_t n), (n))
STEPPED(kperf_sample_set, (uint32_t n), (n))
STEPPED(kperf_reset, (void), ())
STEPPED(kpc_set_thread_counting, (uint32_t n), (n))

static void
begin(void)
{
	struct err e;

	if (!sim_start(spec, &e))
		fail_msg("%s", e.text);
	api = *sim_kperf();
	api.kperf_action_count_set = kperf_action_count_set;
	api.kperf_action_samplers_set = kperf_action_samplers_set;
	api.kperf_action_filter_set_by_pid = kperf_action_filter_set_by_pid;
	api.kperf_timer_count_set = kperf_timer_count_set;
	api.kperf_timer_action_set = kperf_timer_action_set;
	api.kperf_timer_period_set = kperf_timer_period_set;
	api.kperf_timer_pet_set = kperf_timer_pet_set;
	api.kperf_sample_set = kperf_sample_set;
	api.kperf_reset = kperf_reset;
	api.kpc_set_thread_counting = kpc_set_thread_counting;
}

/* All of it, from the first call to the last. */
static bool
trace(void)
{
	static struct kperf_record record[RECORDS];
	static struct kperf_mapped map[RECORDS];
	struct kperf_trace t = { .kperf = &api, .system = &system_then };
	struct kperf_found found = { .force = 0 };
	struct kperf_held held = { .force = false };
	struct kperf_fault why;
	size_t n;
	bool gap;

	if (!kperf_trace_prepare(&t, -1, 1000000, &why) ||
	    !kperf_hold_threads(&api, &found, &held, KPERF_BOTH, &why) ||
	    !kperf_trace_go(&t, &why))
		return false;
	return kperf_trace_map(&t, map, RECORDS) > 0 &&
	       kperf_trace_read(&t, record, RECORDS, &n, &gap, &why) ==
		       KPERF_TRACE_OK &&
	       kperf_trace_give_back(&t) &&
	       kperf_hold_threads_back(&api, &found, &held);
}

/* In a process of its own, which ends before a call; true: at one. */
static bool
killed_before(unsigned call)
{
	int status;
	pid_t pid;

	(void)unlink(file);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		begin();
		steps = call;
		_exit(trace() ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status))
		assert_int_equal(WTERMSIG(status), SIGKILL);
	else
		assert_int_equal(WEXITSTATUS(status), 0);
	return WIFSIGNALED(status);
}

static uint32_t
node(const char *name)
{
	uint32_t value = 0;
	size_t size = sizeof value;

	assert_int_equal(sim_host()->sysctl(name, &value, &size, NULL, 0), 0);
	return value;
}

static void
nothing_is_left(void)
{
	const struct kperf_system *s = sim_host()->system;

	assert_false(kperf_trace_left(s));
	assert_int_equal(node("ktrace.state"), 0);
	assert_int_equal(node("ktrace.active_mask"), 0);
	assert_int_equal(node("kperf.sampling"), 0);
	assert_false(s->kdebug_is_enabled(KPERF_REC_KPC_THREAD));
}

/* Whoever comes next as root, whatever it is. */
static void
next_tool(void **state)
{
	struct kperf_owner owner;
	struct kperf_fault why;
	unsigned left = 0, n;

	(void)state;
	for (n = 1; killed_before(n); n++) {
		assert_in_range(n, 1, STEPS_MOST);
		begin();
		assert_true(
			kperf_trace_owner(sim_host()->system, &owner, &why));
		assert_int_equal(owner.pid, 0);
		assert_true(kperf_trace_left(sim_host()->system) ==
			    (node("ktrace.state") == FOREGROUND));
		left += kperf_trace_left(sim_host()->system);
		assert_true(trace());
		nothing_is_left();
		sim_stop();
	}
	/* From the second call to the last but those of threads. */
	assert_in_range(left, 20, n);
	assert_in_range(n, left + 1, STEPS_MOST);
}

static bool
cleared_by_another(void)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct kperf_fault why;

		_exit(kperf_trace_clear(sim_kperf(), sim_host()->system, &why)
			      ? 0
			      : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The system's own tool in the background waits for somebody's reset. */
static void
tool_in_the_background(void **state)
{
	const struct kperf_system *s;
	uint32_t one = 1;

	(void)state;
	for (unsigned n = 1; killed_before(n); n++) {
		size_t size = 0;
		bool left;

		assert_in_range(n, 1, STEPS_MOST);
		begin();
		s = sim_host()->system;
		assert_int_equal(s->sysctl("ktrace.init_background", NULL, NULL,
					   &one, sizeof one),
				 0);
		left = kperf_trace_left(s);
		errno = 0;
		if (s->kdebug(CLEAR_FLAGS, 0, NULL, &size) != 0) {
			assert_int_equal(errno, EBUSY);
			assert_true(left);
			assert_true(cleared_by_another());
			assert_int_equal(s->kdebug(CLEAR_FLAGS, 0, NULL, &size),
					 0);
		} else {
			assert_false(left);
		}
		assert_int_equal(sim_kperf()->kperf_reset(), 0);
		sim_stop();
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(next_tool),
		cmocka_unit_test(tool_in_the_background),
	};
	int failed;

	snprintf(file, sizeof file, "/tmp/ktop-death-%ld", (long)getpid());
	snprintf(spec, sizeof spec, "m1,clock=step,state=%s", file);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	(void)unlink(file);
	return failed;
}
