/*
 * SIGKILL before each of the calls that take tracing of the kernel and give it
 * back: nobody is kept from tracing by who has died, and what is left is seen
 * and can be ended.
 */
#include "sim/killed.h"

/* Whoever comes next as root, whatever it is. */
static void
next_tool(void **state)
{
	struct kperf_owner owner;
	struct kperf_fault why;
	unsigned left = 0, n;

	for (n = 1; killed_before(n); n++) {
		assert_in_range(n, 1, STEPS_MOST);
		begin();
		assert_true(
			kperf_trace_owner(sim_host()->system, &owner, &why));
		assert_int_equal(owner.pid, 0);
		assert_true(kperf_trace_is_stale(sim_host()->system) ==
			    (node("ktrace.state") == FOREGROUND));
		left += kperf_trace_is_stale(sim_host()->system);
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

		_exit(kperf_trace_clear(sim_kperf(), sim_host()->system, 0,
					&why)
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

	for (unsigned n = 1; killed_before(n); n++) {
		size_t size = 0;
		bool left;

		assert_in_range(n, 1, STEPS_MOST);
		begin();
		s = sim_host()->system;
		assert_int_equal(s->sysctl("ktrace.init_background", NULL, NULL,
					   &one, sizeof one),
				 0);
		left = kperf_trace_is_stale(s);
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
		OK(sim_kperf()->kperf_reset());
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

	name_the_file("death");
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	(void)unlink(file);
	return failed;
}
