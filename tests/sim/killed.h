/*
 * Tracing of the kernel from the first call to the last, in a process of its
 * own that SIGKILL ends before a chosen one; a state file outlives it.
 */
#ifndef TESTS_SIM_KILLED_H
#define TESTS_SIM_KILLED_H

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

static unsigned steps;      /* calls until the end; 0: none */
static void (*first)(void); /* in that process; NULL: nothing */
static struct kperf_api api;
static char spec[256], file[80];

static inline void
step(void)
{
	if (steps > 0 && --steps == 0)
		(void)raise(SIGKILL);
}

static inline int
by_name(const char *name, void *old, size_t *old_size, const void *fresh,
	size_t fresh_size)
{
	step();
	return sim_host()->sysctl(name, old, old_size, fresh, fresh_size);
}

static inline int
kdebug(int op, int value, void *at, size_t *size)
{
	step();
	return sim_host()->system->kdebug(op, value, at, size);
}

static inline bool
is_enabled(uint32_t debugid)
{
	return sim_host()->system->kdebug_is_enabled(debugid);
}

static const struct kperf_system stepped_system = { by_name, kdebug,
						    is_enabled };

#define STEPPED(name, arguments, passed)         \
	static inline int name arguments         \
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

static inline void
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
static inline bool
trace(void)
{
	static struct kperf_record record[RECORDS];
	static struct kperf_mapped map[RECORDS];
	struct kperf_trace t = { .kperf = &api, .system = &stepped_system };
	struct kperf_found found = { .force = 0 };
	struct kperf_changes held = { .force = false };
	struct kperf_fault why;
	size_t n;
	bool gap;

	if (!kperf_trace_prepare(&t, -1, 1000000, &why) ||
	    !kperf_counters_set_threads(&api, &found, &held, KPERF_BOTH,
					&why) ||
	    !kperf_trace_start(&t, &why))
		return false;
	return kperf_trace_map(&t, map, RECORDS) > 0 &&
	       kperf_trace_read(&t, record, RECORDS, &n, &gap, &why) ==
		       KPERF_TRACE_OK &&
	       kperf_trace_release(&t) &&
	       kperf_counters_restore_threads(&api, &found, &held);
}

/* In a process of its own, which ends before a call; true: at one. */
static inline bool
killed_before(unsigned call)
{
	int status;

	(void)unlink(file);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		begin();
		if (first != NULL)
			first();
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

static inline uint32_t
node(const char *name)
{
	uint32_t value = 0;
	size_t size = sizeof value;

	OK(sim_host()->sysctl(name, &value, &size, NULL, 0));
	return value;
}

static inline void
nothing_is_left(void)
{
	const struct kperf_system *s = sim_host()->system;

	assert_false(kperf_trace_is_stale(s));
	assert_int_equal(node("ktrace.state"), 0);
	assert_int_equal(node("ktrace.active_mask"), 0);
	assert_int_equal(node("kperf.sampling"), 0);
	assert_false(s->kdebug_is_enabled(KPERF_REC_KPC_THREAD));
}

static inline void
name_the_file(const char *test)
{
	snprintf(file, sizeof file, "/tmp/ktop-%s-%ld", test, (long)getpid());
	snprintf(spec, sizeof spec, "m1,clock=step,state=%s", file);
}

#endif
