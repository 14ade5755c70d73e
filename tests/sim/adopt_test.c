/* A child that was really started has counts on the simulated machine. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/sim.h"
#include "sim/world.h"

#define MS INT64_C(1000000)

static const struct host_api *h;

static void
start(const char *spec)
{
	struct err e;

	sim_stop();
	if (!sim_start(spec, &e))
		fail_msg("%s: %s", spec, e.text);
	h = sim_host();
}

static void
pass_ms(int64_t ms)
{
	struct stamp t;

	clock_now(&h->clock, &t);
	h->clock.step(h->clock.self, t.awake_ns + ms * MS);
}

/* Lives until it is killed, or half a minute. */
static int32_t
child_new(void)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		sleep(30);
		_exit(0);
	}
	return (int32_t)pid;
}

/* Its end can be seen, and has not been waited for. */
static void
child_end(int32_t pid)
{
	siginfo_t info;

	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
}

/* One whose pid no process of a machine at its start has. */
static int32_t
child_of_its_own_pid(void)
{
	struct world *w = world_new("m1,clock=step");
	int32_t pid = child_new(), list[128];
	int n;

	sim_proc_list(&w->k, list, 128, &n);
	for (int i = 0; i < n; i++)
		if (list[i] == pid) {
			int32_t other = child_new();

			child_end(pid);
			assert_int_equal(waitpid(pid, NULL, 0), pid);
			pid = other;
			i = -1; /* from the first on */
		}
	return pid;
}

/* ESRCH, unless the machine has that pid too. */
static void
nobody(int32_t pid)
{
	int32_t list[128];
	struct host_usage u;

	for (int n = h->proc_list(list, 128); n > 0; n--)
		if (list[n - 1] == pid)
			return;
	assert_int_equal(h->proc_usage(pid, &u), -1);
	assert_int_equal(errno, ESRCH);
}

/* By the page: an M1's top frequencies and rates, for ns on each kind. */
struct part {
	uint64_t cycles, instructions;
};

static struct part
part_of(uint64_t ns, uint64_t mhz, uint64_t ipc, uint64_t ipc_kernel)
{
	uint64_t kernel = ns / 16 * mhz / 1000;
	uint64_t user = (ns - ns / 16) * mhz / 1000;
	uint64_t rate = ipc * 1048576 / 1000;
	uint64_t rate_kernel = ipc_kernel * 1048576 / 1000;

	return (struct part){ user + kernel,
			      user * rate / 1048576 +
				      kernel * rate_kernel / 1048576 };
}

static void
counts_are(int32_t pid, uint64_t fast_ns, uint64_t slow_ns)
{
	struct part p = part_of(fast_ns, 3204, 4200, 1350);
	struct part e = part_of(slow_ns, 2064, 1850, 720);
	struct host_usage u;

	OK(h->proc_usage(pid, &u));
	assert_int_equal(u.pcycles, p.cycles);
	assert_int_equal(u.pinstructions, p.instructions);
	assert_int_equal(u.cycles, p.cycles + e.cycles);
	assert_int_equal(u.instructions, p.instructions + e.instructions);
	assert_int_equal(u.user_time + u.system_time,
			 (fast_ns - fast_ns / 16) * 3 / 125 +
				 fast_ns / 16 * 3 / 125 +
				 (slow_ns - slow_ns / 16) * 3 / 125 +
				 slow_ns / 16 * 3 / 125);
	assert_int_equal(u.energy_nj,
			 p.cycles * 980 / 1000 + e.cycles * 84 / 1000);
}

UNIT(child)
{
	int32_t pid = child_new();
	struct host_usage u;
	struct host_proc p;
	struct host_thread t;
	uint64_t id[4];

	start("m1,clock=step");
	pass_ms(777);
	counts_are(pid, 0, 0);
	pass_ms(100);
	counts_are(pid, 100 * MS, 0);
	pass_ms(100);
	counts_are(pid, 190 * MS, 10 * MS);
	OK(h->proc_short(pid, &p));
	assert_int_equal(p.ppid, getpid());
	assert_int_equal(p.status, 2);
	assert_int_equal(h->thread_list(pid, id, 4), 1);
	OK(h->thread_counts(pid, id[0], &t));
	OK(h->proc_usage(pid, &u));
	assert_int_equal(t.level[0].cycles, u.pcycles);
	assert_int_equal(t.level[1].cycles, u.cycles - u.pcycles);
	assert_int_equal(u.start_abstime, UINT64_C(1000777000000) * 3 / 125);
	assert_int_equal(u.exit_abstime, 0);
	child_end(pid);
	pass_ms(20);
	counts_are(pid, 210 * MS, 10 * MS);
	pass_ms(1000);
	counts_are(pid, 210 * MS, 10 * MS);
	OK(h->proc_usage(pid, &u));
	assert_int_equal(u.exit_abstime, UINT64_C(1000997000000) * 3 / 125);
	OK(h->proc_short(pid, &p));
	assert_int_equal(p.status, 5);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	nobody(pid);
}

/* Not one's own child: no process of the machine. */
UNIT(stranger)
{
	start("m1,clock=step");
	nobody((int32_t)getpid());
	nobody(-1);
}

/* A pid that the machine has as well: who listed those means the machine's. */
UNIT(same_pid)
{
	int32_t pid = child_of_its_own_pid(), list[128];
	struct host_usage u, machine;
	int n;

	for (unsigned listed = 0; listed < 2; listed++) {
		struct world *w = world_new("m1,clock=step");
		w->k.table.adopts = true;
		wait_ms(w, 5000);
		OK(sim_proc_usage(&w->k, &w->a, 200, &machine));
		w->state.procs.slot[1].now.pid = pid;
		if (listed)
			sim_proc_list(&w->k, list, 128, &n);
		OK(sim_proc_usage(&w->k, &w->a, pid, &u));
		assert_int_equal(u.cycles, listed ? machine.cycles : 0);
		/* once asked for it is the child's */
		sim_proc_list(&w->k, list, 128, &n);
		OK(sim_proc_usage(&w->k, &w->a, pid, &u));
		assert_int_equal(u.cycles, listed ? machine.cycles : 0);
	}
	child_end(pid);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* Such a pid may lie where those of the machine's sleepers do. */
UNIT(large_pid)
{
	struct host_usage u, machine;
	struct world *w = world_new("m1,clock=step");

	wait_ms(w, 5000);
	OK(sim_proc_usage(&w->k, &w->a, 200, &machine));
	w->state.procs.slot[1].now.pid = 4000000;
	OK(sim_proc_usage(&w->k, &w->a, 4000000, &u));
	assert_true(u.cycles > 0 && u.cycles == machine.cycles);
}

/* With the real clock its counts are above zero at once, and grow. */
UNIT(real_clock)
{
	int32_t pid = child_new();
	struct host_usage first, u;

	start("m1,euid=501");
	OK(h->proc_usage(pid, &first));
	do
		OK(h->proc_usage(pid, &u));
	while (u.instructions == first.instructions);
	assert_true(u.cycles > first.cycles);
	child_end(pid);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

/* More than there is room for: who came first begins again. */
UNIT(many)
{
	int32_t pid[20];
	struct host_usage u, first;

	start("m1,clock=step");
	for (int i = 0; i < 20; i++) {
		pid[i] = child_new();
		pass_ms(1);
		OK(h->proc_usage(pid[i], &u));
	}
	OK(h->proc_usage(pid[19], &first));
	pass_ms(1);
	OK(h->proc_usage(pid[19], &u));
	assert_int_equal(u.start_abstime, first.start_abstime);
	assert_true(u.cycles > first.cycles);
	for (int i = 0; i < 20; i++) {
		child_end(pid[i]);
		assert_int_equal(waitpid(pid[i], NULL, 0), pid[i]);
	}
}

UNIT(users)
{
	uint32_t numer, denom;
	char name[32];

	start("m1,clock=step");
	assert_true(h->user_name(0, name, 32));
	assert_string_equal(name, "root");
	assert_true(h->user_name(501, name, 32));
	assert_string_equal(name, "ana");
	assert_true(h->user_name(7, name, 32));
	assert_string_equal(name, "user7");
	h->timebase(&numer, &denom);
	assert_true(numer == 125 && denom == 3);
	start("intel");
	h->timebase(&numer, &denom);
	assert_true(numer == 1 && denom == 1);
}

static int
stop(void **state)
{
	sim_stop();
	return 0;
}

UNITS_IN(NULL, stop)
