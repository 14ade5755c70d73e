/* state=FILE: one kernel for several processes, that may die. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "sim/sim.h"
#include "sim/state_print.h"

static char dir[64], file[96];

static int
folder_make(void **state)
{
	snprintf(dir, sizeof(dir), "/tmp/ktop-state-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	snprintf(file, sizeof(file), "%s/kernel", dir);
	return 0;
}

static int
folder_drop(void **state)
{
	sim_stop();
	unlink(file);
	return rmdir(dir);
}

static const char *
spec(const char *machine, const char *more)
{
	static char text[192];

	snprintf(text, sizeof(text), "%s,clock=step,state=%s%s", machine, file,
		 more);
	return text;
}

static void
start(const char *text)
{
	struct err e;

	if (!sim_start(text, &e))
		fail_msg("%s: %s", text, e.text);
}

/* A process that takes everything, says so, and waits to be killed. */
static pid_t
other_tool(void)
{
	char ready;
	int ends[2];

	OK(pipe(ends));
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		uint64_t words[8];
		struct err e;
		const struct kperf_api *api = sim_kperf();
		for (int i = 0; i < 8; i++)
			words[i] = 0x2008c;
		bool ok = sim_start(spec("m1", ""), &e) &&
			  api->kpc_force_all_ctrs_set(1) == 0 &&
			  api->kpc_set_config(2, words) == 0 &&
			  api->kpc_set_counting(3) == 0 &&
			  api->kpc_set_thread_counting(3) == 0;
		if (write(ends[1], ok ? "y" : "n", 1) != 1)
			_exit(1);
		alarm(60);
		for (;;)
			pause();
	}
	assert_int_equal(read(ends[0], &ready, 1), 1);
	assert_int_equal(ready, 'y');
	close(ends[0]);
	close(ends[1]);
	return pid;
}

static void
dump(char *out, size_t size)
{
	FILE *fp = tmpfile();

	assert_non_null(fp);
	assert_true(state_print(file, fp));
	rewind(fp);
	out[fread(out, 1, size - 1, fp)] = '\0';
	fclose(fp);
}

static void
has(const char *text, const char *line)
{
	if (strstr(text, line) == NULL)
		fail_msg("no '%s' in:\n%s", line, text);
}

UNIT_IN(killed, folder_make, folder_drop)
{
	const struct kperf_api *api = sim_kperf();
	char text[1024], line[64];
	uint64_t words[8];
	struct stat st;
	int on = -1;

	pid_t pid = other_tool();
	OK(stat(file, &st));
	assert_int_equal(st.st_mode & 07777, 0600);
	start(spec("m1", ""));
	/* alive: it holds force, we may read all the same */
	assert_int_equal(api->kpc_force_all_ctrs_set(1), -1);
	assert_int_equal(errno, EACCES);
	assert_int_equal(api->kpc_get_counter_count(3), 10);
	assert_int_equal(api->kpc_get_counting(), 3);
	dump(text, sizeof(text));
	has(text, "force 1\n");
	snprintf(line, sizeof(line), "force_pid %d\n", (int)pid);
	has(text, line);
	has(text, "counting 3\n");
	has(text, "config_2 0x2008c\n");
	has(text, "config_9 0x2008c\n");
	has(text, "thread_counting 3\n");
	/* dead, not even waited for: force is free, the rest stays */
	kill(pid, SIGKILL);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	OK(api->kpc_force_all_ctrs_get(&on));
	assert_int_equal(on, 0);
	assert_int_equal(api->kpc_get_counting(), 7);
	assert_int_equal(api->kpc_get_counter_count(3), 7);
	OK(api->kpc_get_config(2, words));
	assert_int_equal(words[0], 0x2008c);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	OK(api->kpc_force_all_ctrs_set(1));
	dump(text, sizeof(text));
	snprintf(line, sizeof(line), "force_pid %d\n", (int)getpid());
	has(text, line);
}

/* The dump alone notices the death as well. */
UNIT_IN(killed_then_dumped, folder_make, folder_drop)
{
	char text[1024];

	pid_t pid = other_tool();
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	dump(text, sizeof(text));
	has(text, "machine m1\n");
	has(text, "force 0\n");
	has(text, "force_pid 0\n");
	has(text, "counting 7\n");
}

/* A forked child is another task; a new start is like an exec. */
UNIT_IN(forked, folder_make, folder_drop)
{
	const struct kperf_api *api = sim_kperf();
	int status, on = -1;

	start(spec("m1", ""));
	OK(api->kpc_force_all_ctrs_set(1));
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(api->kpc_force_all_ctrs_set(0) == -1 && errno == EACCES
			      ? 0
			      : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	/* a child that joined by the fork holds what it takes while it lives */
	OK(api->kpc_force_all_ctrs_set(0));
	int ends[2];
	char byte;
	OK(pipe(ends));
	pid = fork();
	if (pid == 0) {
		(void)api->kpc_force_all_ctrs_set(1);
		if (write(ends[1], "y", 1) != 1)
			_exit(1);
		alarm(60);
		for (;;)
			pause();
	}
	assert_int_equal(read(ends[0], &byte, 1), 1);
	close(ends[0]);
	close(ends[1]);
	OK(api->kpc_force_all_ctrs_get(&on));
	assert_int_equal(on, 1);
	assert_int_equal(api->kpc_force_all_ctrs_set(1), -1);
	kill(pid, SIGKILL);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	OK(api->kpc_force_all_ctrs_set(1));
	sim_stop();
	start(spec("m1", ""));
	OK(api->kpc_force_all_ctrs_get(&on));
	assert_int_equal(on, 0);
}

UNIT_IN(time_goes_on, folder_make, folder_drop)
{
	const struct host_api *host = sim_host();
	struct stamp a, b;

	start(spec("m1", ""));
	clock_now(&host->clock, &a);
	host->clock.step(host->clock.self, a.awake_ns + 5000000000);
	sim_stop();
	start(spec("m1", ",euid=501,lib=errno"));
	clock_now(&host->clock, &b);
	assert_int_equal(b.awake_ns - a.awake_ns, 5000000000);
}

UNIT_IN(other_machine, folder_make, folder_drop)
{
	static const char *const others[][2] = {
		{ "m2max", "machine" }, { "m1,seed=2", "seed" },
		{ "m1,os=15.5", "os" }, { "m1,pm=0", "pm" },
		{ "m1,pm=0x20", "pm" },
	};
	struct err e;
	char real[160];

	start(spec("m1", ""));
	sim_stop();
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		assert_false(sim_start(spec(others[i][0], ""), &e));
		assert_int_equal(e.code, ERR_USAGE);
		has(e.text, others[i][1]);
	}
	snprintf(real, sizeof(real), "m1,state=%s", file);
	assert_false(sim_start(real, &e));
	has(e.text, "clock");
	assert_false(sim_start(spec("m1", ",fault=busy@1s"), &e));
	has(e.text, "fault");
	assert_false(sim_start(spec("m1", ",work=memory"), &e));
	has(e.text, "work");
}

/* Who says nothing about work counts what the first process set going. */
UNIT_IN(same_work, folder_make, folder_drop)
{
	int64_t later = 1005000000000 /* 5 s in */;
	struct err e;

	start(spec("m1", ",work=P:memory"));
	uint64_t memory = sim_total(4, "INST_ALL", false, later);
	sim_stop();
	start(spec("m1", ""));
	assert_int_equal(sim_total(4, "INST_ALL", false, later), memory);
	sim_stop();
	start(spec("m1", ",work=P0:memory"));
	sim_stop();
	assert_false(sim_start(spec("m1", ",work=memory"), &e));
	has(e.text, "another work");
	assert_false(sim_start(spec("m1", ",physics=wide"), &e));
	has(e.text, "another physics");
	unlink(file);
	start(spec("m1", ""));
	assert_int_not_equal(sim_total(4, "INST_ALL", false, later), memory);
}

/* As are cores of which nothing is said. */
UNIT_IN(same_physics, folder_make, folder_drop)
{
	static const char event[] = "BRANCH_MISPRED_NONSPEC";
	int64_t later = 1005000000000;

	start(spec("m1", ""));
	uint64_t drawn = sim_total(4, event, false, later);
	sim_stop();
	unlink(file);
	start(spec("m1", ",physics=wide"));
	uint64_t wide = sim_total(4, event, false, later);
	assert_int_not_equal(wide, drawn);
	sim_stop();
	start(spec("m1", ""));
	assert_int_equal(sim_total(4, event, false, later), wide);
}

/* The table goes on where another process left it. */
UNIT_IN(same_processes, folder_make, folder_drop)
{
	struct host_usage first, u;
	struct err e;
	int32_t list[128];

	start(spec("m1", ",procs=70"));
	const struct host_api *h = sim_host();
	h->clock.step(h->clock.self, 1005000000000);
	OK(h->proc_usage(200, &first));
	sim_stop();
	start(spec("m1", ""));
	h = sim_host();
	OK(h->proc_usage(200, &u));
	assert_memory_equal(&u, &first, sizeof(u));
	assert_int_equal(h->proc_list(list, 128), 70);
	h->clock.step(h->clock.self, 1015000000000);
	OK(h->proc_usage(200, &u));
	assert_true(u.cycles > first.cycles);
	first = u;
	sim_stop();
	assert_false(sim_start(spec("m1", ",procs=71"), &e));
	has(e.text, "another procs");
	assert_false(sim_start(spec("m1", ",rest=1"), &e));
	has(e.text, "another rest");
	/* nobody looked in between */
	unlink(file);
	start(spec("m1", ",procs=70"));
	h->clock.step(h->clock.self, 1015000000000);
	OK(h->proc_usage(200, &u));
	assert_memory_equal(&u, &first, sizeof(u));
}

static void
spoil(off_t at, const void *bytes, size_t size)
{
	int fd = open(file, O_WRONLY);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, bytes, size, at), size);
	close(fd);
}

static char
byte_at(off_t at)
{
	int fd = open(file, O_RDONLY);
	char byte = 0;

	assert_true(fd >= 0);
	assert_int_equal(pread(fd, &byte, 1, at), 1);
	close(fd);
	return byte;
}

/* All that can be asked of them; what the answers are is all the same. */
static void
processes_of(const struct host_api *h)
{
	int32_t pid[128];
	int n = h->proc_list(pid, 128);

	for (int i = 0; i < n; i++) {
		struct host_usage u;
		struct host_proc p;
		struct host_thread t;
		char path[64];
		uint64_t id[64];
		(void)h->proc_usage(pid[i], &u);
		(void)h->proc_short(pid[i], &p);
		(void)h->proc_path(pid[i], path, sizeof(path));
		int threads = h->thread_list(pid[i], id, 64);
		for (int k = 0; k < threads; k++)
			(void)h->thread_counts(pid[i], id[k], &t);
	}
}

/* A damaged or foreign file is refused, and left as it is. */
UNIT_IN(damaged, folder_make, folder_drop)
{
	struct err e;
	FILE *fp = fopen(file, "w");
	int64_t wrong = -1;
	struct stat st;

	assert_non_null(fp);
	fputs("precious text of somebody\n", fp);
	fclose(fp);
	assert_false(sim_start(spec("m1", ""), &e));
	has(e.text, "from another version of ktop");
	OK(stat(file, &st));
	assert_int_equal(st.st_size, 26);
	unlink(file);

	start(spec("m1", ""));
	sim_stop();
	spoil(0, "X", 1);
	assert_false(sim_start(spec("m1", ""), &e));
	has(e.text, "not a state file");
	spoil(0, "k", 1);
	char version = byte_at(8);
	spoil(8, "\xff", 1);
	assert_false(sim_start(spec("m1", ""), &e));
	has(e.text, "another version");
	spoil(8, &version, 1);
	start(spec("m1", ""));
	sim_stop();
	spoil(16, "m17", 4);
	assert_false(sim_start(spec("m1", ""), &e));
	has(e.text, "no machine");
	spoil(16, "m1", 3);
	/*
	 * Every 8 bytes of the head and many of the rest, sixteen times as many
	 * with KTOP_LONG=1: never a crash.
	 */
	off_t step = getenv("KTOP_LONG") != NULL ? 264 : 4232;
	OK(stat(file, &st));
	for (off_t at = 32; at < st.st_size; at += at < 1000 ? 8 : step) {
		int64_t was;
		int fd = open(file, O_RDONLY);
		assert_int_equal(pread(fd, &was, 8, at), 8);
		close(fd);
		spoil(at, &wrong, 8);
		if (sim_start(spec("m1", ""), &e)) {
			uint64_t row[16 * 11];
			(void)sim_kperf()->kpc_get_cpu_counters(true, 3, NULL,
								row);
			(void)sim_kperf()->kpc_set_counting(3);
			(void)sim_kperf()->kperf_reset();
			processes_of(sim_host());
			sim_stop();
		}
		spoil(at, &was, 8);
	}
}

UNIT_IN(no_file, folder_make, folder_drop)
{
	struct err e;

	assert_false(sim_start("m1,state=/", &e));
	assert_false(sim_start("m1,state=/nonexistent/x", &e));
	assert_int_equal(symlink("/dev/null", file), 0);
	assert_false(sim_start(spec("m1", ""), &e));
}

/* Two processes hammer one kernel: force never has two owners. */
UNIT_IN(together, folder_make, folder_drop)
{
	const struct kperf_api *api = sim_kperf();
	int status, won = 0;

	start(spec("m1", ""));
	pid_t pid = fork();
	assert_true(pid >= 0);
	/* The other may have it whenever this one asks, but not for ever. */
	for (int i = 0; i < 300 || won == 0; i++) {
		int on = 0;
		if (api->kpc_force_all_ctrs_set(1) != 0)
			continue;
		won++;
		if (api->kpc_force_all_ctrs_get(&on) != 0 || on != 1 ||
		    api->kpc_get_counter_count(2) != 8 ||
		    api->kpc_force_all_ctrs_set(0) != 0) {
			if (pid == 0)
				_exit(1);
			fail_msg("force was lost");
		}
	}
	if (pid == 0)
		_exit(0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
give_back(int sig)
{
	const struct kperf_api *api = sim_kperf();

	_exit(api->kpc_set_counting(0) == 0 &&
			      api->kpc_force_all_ctrs_set(0) == 0
		      ? 0
		      : 1);
}

/* A signal at any moment, also inside a call, and its handler calls again. */
UNIT_IN(crash_handler, folder_make, folder_drop)
{
	const struct kperf_api *api = sim_kperf();
	struct timespec ms = { .tv_nsec = 5000000 };
	char text[1024];
	int status;

	start(spec("m1", ""));
	for (int i = 0; i < 10; i++) {
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			uint64_t row[80];
			signal(SIGTERM, give_back);
			alarm(60);
			(void)api->kpc_force_all_ctrs_set(1);
			(void)api->kpc_set_counting(3);
			for (;;)
				(void)api->kpc_get_cpu_counters(true, 3, NULL,
								row);
		}
		do {
			nanosleep(&ms, NULL);
			dump(text, sizeof(text));
		} while (strstr(text, "counting 3\n") == NULL);
		kill(pid, SIGTERM);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
		dump(text, sizeof(text));
		has(text, "force 0\n");
		has(text, "counting 0\n");
	}
}

/* Who made the file was killed before it was whole. */
UNIT_IN(begun, folder_make, folder_drop)
{
	static const char nothing[8];
	char text[2048];
	struct stat st;

	start(spec("m1", ""));
	sim_stop();
	int fd = open(file, O_RDWR);

	assert_true(fd >= 0);
	assert_int_equal(fstat(fd, &st), 0);
	/* Its length is there, and whatever was copied, but no magic. */
	assert_int_equal(pwrite(fd, nothing, sizeof(nothing), 0), 8);
	start(spec("m1", ""));
	sim_stop();
	dump(text, sizeof(text));
	has(text, "force 0\n");
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(ftruncate(fd, st.st_size), 0);
	start(spec("m3", ""));
	sim_stop();
	(void)close(fd);
}
