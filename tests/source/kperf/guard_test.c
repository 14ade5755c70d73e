/*
 * SIGKILL before each call of tracing, with a guard that looks on: it lets go
 * of what is left by itself, and touches nothing of somebody else's.
 */
#include "sim/killed.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <time.h>

#include "source/kperf/state.h"

static struct kperf_guard guard;

static void
guarded(void)
{
	kperf_guard_begin(&guard, sim_kperf(), sim_host()->system, false);
	if (guard.fd == 0)
		_exit(2);
}

static void
a_moment(void)
{
	const struct timespec t = { 0, 2000000 };

	(void)nanosleep(&t, NULL);
}

/* A file that is locked for as long as the guard is there. */
static int
open_lock(void)
{
	char path[96];

	snprintf(path, sizeof path, "%s.lock", file);
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	assert_true(fd >= 0);
	return fd;
}

static void
await_the_guard(int fd)
{
	char path[96];

	while (flock(fd, LOCK_EX) != 0)
		assert_int_equal(errno, EINTR);
	close(fd);
	snprintf(path, sizeof path, "%s.lock", file);
	(void)unlink(path);
}

/* The file stays locked until the guard of the process that dies has ended. */
static void
guarded_and_locked(void)
{
	int lock = open_lock();

	if (flock(lock, LOCK_EX) != 0)
		_exit(3);
	guarded();
	close(lock);
}

static void
whenever_it_dies(void **state)
{
	unsigned n;

	first = guarded_and_locked;
	for (n = 1; killed_before(n); n++) {
		assert_in_range(n, 1, STEPS_MOST);
		await_the_guard(open_lock());
		begin();
		nothing_is_left();
		sim_stop();
	}
	assert_in_range(n, 20, STEPS_MOST);
}

/* Has traced, and waits to be killed; tell: the guard knows. */
static pid_t
has_traced(bool tell, int ready)
{
	(void)unlink(file);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid != 0)
		return pid;
	int lock = open_lock();
	if (flock(lock, LOCK_EX) != 0)
		_exit(1);
	begin();
	guarded();
	close(lock); /* the guard has it still */
	if (!trace())
		_exit(1);
	if (tell)
		kperf_guard_end(&guard);
	(void)!write(ready, "", 1);
	for (;;)
		(void)pause();
}

static pid_t
has_traced_by_now(bool tell)
{
	int end[2];
	char byte;

	OK(pipe(end));
	pid_t pid = has_traced(tell, end[1]);
	assert_int_equal(read(end[0], &byte, 1), 1);
	close(end[0]);
	close(end[1]);
	return pid;
}

static void
kill_it(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* It is another program's by then. */
static void
leaves_alone_what_is_not_its_own(void **state)
{
	struct kperf_trace t = { .kperf = sim_kperf() };
	struct kperf_found found = { .force = 0 };
	struct kperf_changes changes = { .force = false };
	struct kperf_fault why;
	int lock = open_lock();
	pid_t pid = has_traced_by_now(false);

	begin();
	t.system = sim_host()->system;
	assert_true(kperf_trace_prepare(&t, -1, 1000000, &why));
	assert_true(kperf_counters_set_threads(sim_kperf(), &found, &changes,
					       KPERF_BOTH, &why));
	assert_true(kperf_trace_start(&t, &why));
	kill_it(pid);
	await_the_guard(lock);
	assert_int_equal(node("ktrace.owning_pid"), getpid());
	assert_int_equal(node("kperf.sampling"), 1);
	assert_int_equal(sim_kperf()->kpc_get_thread_counting(), KPERF_BOTH);
	assert_true(kperf_trace_release(&t));
	sim_stop();
}

/* Threads that somebody else counts, once all was given back. */
static void
leaves_when_it_is_told(void **state)
{
	int lock = open_lock();
	pid_t pid = has_traced_by_now(true);

	await_the_guard(lock);
	begin();
	OK(sim_kperf()->kpc_force_all_ctrs_set(1));
	OK(sim_kperf()->kpc_set_thread_counting(KPERF_BOTH));
	kill_it(pid);
	assert_int_equal(sim_kperf()->kpc_get_thread_counting(), KPERF_BOTH);
	nothing_is_left();
	sim_stop();
}

/* Whoever traces goes on when it is the guard that is killed. */
static void
may_be_gone(void **state)
{
	struct kperf_guard g = { 0 };
	int end[2];

	OK(pipe(end));
	close(end[0]);
	g.fd = end[1];
	kperf_guard_end(&g);
	assert_int_equal(g.fd, 0);
}

/* Killed before that call, or done, or ended where it was refused. */
static void
dies(unsigned call, bool with_guard)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		begin();
		bool left = kperf_trace_is_stale(sim_host()->system);

		if (with_guard)
			kperf_guard_begin(&guard, sim_kperf(),
					  sim_host()->system, left);
		if (left)
			(void)sim_kperf()->kpc_set_thread_counting(0);
		steps = call;
		if (trace() && with_guard)
			kperf_guard_end(&guard);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL
					: WEXITSTATUS(status) == 0);
}

enum { EVICTOR = 668 };

/*
 * Until nobody has it, or the evictor: no time passes here meanwhile, but with
 * the guard's calls some does.
 */
static int32_t
await_whoever_it_is(bool all_gone)
{
	struct kperf_owner owner = { 0, false };
	struct kperf_fault why;

	for (;;) {
		assert_true(
			kperf_trace_owner(sim_host()->system, &owner, &why));
		if (owner.pid == EVICTOR)
			return owner.pid;
		if (owner.pid == 0 &&
		    (!all_gone ||
		     (node("ktrace.state") == 0 &&
		      sim_kperf()->kpc_get_thread_counting() == 0)))
			return 0;
		a_moment();
	}
}

static void
pass_ms(int64_t ms)
{
	const struct clock *c = &sim_host()->clock;
	struct stamp now;

	clock_now(c, &now);
	c->step(c->self, now.awake_ns + ms * 1000000);
}

/*
 * One after the other on one machine, at any call, every other without a guard,
 * while an evictor comes and goes, rings fill up and threads come in storms.
 */
static void
many_deaths(void **state)
{
	unsigned rounds = getenv("KTOP_LONG") != NULL ? 2000 : 30, at = 1;

	(void)unlink(file);
	strcat(spec,
	       ",fault=storm:200@1s-3s,fault=evict@2s-2500ms,fault=ring@3s-4s");
	for (unsigned i = 0; i < rounds; i++) {
		bool with_guard = i % 2 == 0;

		at = (at * 1103515245 + 12345) & 0x7fffffff;
		dies(1 + at % 40, with_guard);
		begin();
		/* What threads count without an owner is for --repair. */
		if (await_whoever_it_is(with_guard) == EVICTOR ||
		    node("ktrace.state") == 0)
			(void)sim_kperf()->kpc_set_thread_counting(0);
		pass_ms(50);
		sim_stop();
	}
	begin();
	pass_ms(5000);
	assert_int_equal(await_whoever_it_is(false), 0);
	assert_true(trace());
	nothing_is_left();
	sim_stop();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whenever_it_dies),
		cmocka_unit_test(leaves_alone_what_is_not_its_own),
		cmocka_unit_test(leaves_when_it_is_told),
		cmocka_unit_test(may_be_gone),
		cmocka_unit_test(many_deaths),
	};

	name_the_file("guard");
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	(void)unlink(file);
	return failed;
}
