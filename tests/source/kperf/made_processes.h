/* A Mac's processes by hand, behind host functions. */
#ifndef TESTS_SOURCE_KPERF_MADE_PROCESSES_H
#define TESTS_SOURCE_KPERF_MADE_PROCESSES_H

#include "source/kperf/state.h"

#include <errno.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { MADE_MAX = 5000, FIRST_PID = 100, TICK_NS_NUM = 125, TICK_NS_DEN = 3 };

struct made {
	struct host_usage usage;
	struct host_proc brief;
	const char *path; /* NULL: it has none */
	const char *args; /* each ends in NUL, and one more; NULL: not told */
	int denied;       /* an errno; 0: it answers */
	bool gone;        /* listed, and no more */
	bool unseen;      /* by proc_short: gone a moment later */
};

static struct {
	struct made made[MADE_MAX];
	unsigned n;
	int list_errno;
	unsigned lists, usages, shorts, paths, names, args;
	int64_t look_ns; /* that a look takes */
	struct stamp now;
	unsigned nthreads;
	struct host_thread thread[PROCESS_THREADS_MAX + 1];
} mac;

static struct made *
made_find(int32_t pid)
{
	for (unsigned i = 0; i < mac.n; i++)
		if (mac.made[i].brief.pid == pid)
			return &mac.made[i];
	return NULL;
}

static int
made_list(int32_t *pid, int max)
{
	int n = 0;

	mac.lists++;
	if (mac.list_errno != 0) {
		errno = mac.list_errno;
		return -1;
	}
	/* Newest first. */
	for (unsigned i = mac.n; i-- > 0 && n < max;)
		pid[n++] = mac.made[i].brief.pid;
	return n;
}

static int
refuse(int why)
{
	errno = why;
	return -1;
}

static int
made_usage(int32_t pid, struct host_usage *out)
{
	const struct made *m = made_find(pid);

	mac.usages++;
	mac.now.awake_ns += mac.look_ns;
	if (m == NULL || m->gone)
		return refuse(ESRCH);
	if (m->denied != 0)
		return refuse(m->denied);
	*out = m->usage;
	return 0;
}

static int
made_short(int32_t pid, struct host_proc *out)
{
	const struct made *m = made_find(pid);

	mac.shorts++;
	if (m == NULL || m->gone || m->unseen)
		return refuse(ESRCH);
	*out = m->brief;
	return 0;
}

static int
made_path(int32_t pid, char *out, int size)
{
	const struct made *m = made_find(pid);

	mac.paths++;
	if (m == NULL || m->path == NULL) {
		errno = ESRCH;
		return 0;
	}
	return snprintf(out, (size_t)size, "%s", m->path);
}

static int
made_args(int32_t pid, char *out, int size)
{
	const struct made *m = made_find(pid);
	int n = 0;

	mac.args++;
	if (m == NULL || m->args == NULL)
		return refuse(EINVAL);
	while (m->args[n] != '\0' || m->args[n + 1] != '\0')
		n++;
	n = n < size ? n : size;
	memcpy(out, m->args, (size_t)n);
	return n;
}

static int
made_threads(int32_t pid, uint64_t *id, int max)
{
	int n = 0;

	if (pid != FIRST_PID)
		return 0;
	for (; n < max && n < (int)mac.nthreads; n++)
		id[n] = mac.thread[n].id;
	return n;
}

static int
made_thread(int32_t pid, uint64_t id, struct host_thread *out)
{
	(void)pid;
	for (unsigned i = 0; i < mac.nthreads; i++)
		if (mac.thread[i].id == id && mac.thread[i].levels > 0) {
			*out = mac.thread[i];
			return 0;
		}
	return refuse(ESRCH);
}

static void
made_timebase(uint32_t *numer, uint32_t *denom)
{
	*numer = TICK_NS_NUM;
	*denom = TICK_NS_DEN;
}

static bool
made_user(uint32_t uid, char *out, int size)
{
	mac.names++;
	if (uid == 77)
		return false;
	snprintf(out, (size_t)size, "%s", uid == 0 ? "root" : "ann");
	return true;
}

static void
made_now(void *self, struct stamp *out)
{
	(void)self;
	*out = mac.now;
}

static const struct clock made_clock = { .now = made_now };

static struct host_api made_host = {
	.version = HOST_VERSION,
	.proc_list = made_list,
	.proc_usage = made_usage,
	.proc_short = made_short,
	.proc_path = made_path,
	.proc_args = made_args,
	.thread_list = made_threads,
	.thread_counts = made_thread,
	.timebase = made_timebase,
	.user_name = made_user,
};

/* An M1 by its two kinds. */
static struct topology_kind made_kinds[] = {
	{ .name = "Performance", .letter = "P" },
	{ .name = "Efficiency", .letter = "E" },
	{ .name = "Other", .letter = "O" },
};
static struct topology made_topology = { .nkinds = 2, .kind = made_kinds };

/* The next process, which began 10 s after the machine and has done this. */
static inline struct made *
add(const char *name, uint32_t uid)
{
	struct made *m = &mac.made[mac.n];

	memset(m, 0, sizeof(*m));
	m->brief.pid = mac.n == 0 ? 0 : FIRST_PID + (int32_t)mac.n - 1;
	m->brief.ppid = 1;
	m->brief.uid = uid;
	m->brief.status = 2;
	snprintf(m->brief.name, 16, "%s", name);
	m->usage.flavor = 6;
	m->usage.start_abstime = mac.n == 0 ? 0 : 240000000u + mac.n;
	m->usage.user_time = 24000;
	m->usage.system_time = 2400;
	m->usage.cycles = 3000000;
	m->usage.instructions = 6000000;
	m->usage.user_ptime = 12000;
	m->usage.pcycles = 2000000;
	m->usage.pinstructions = 5000000;
	m->usage.energy_nj = 1000;
	m->usage.penergy_nj = 900;
	mac.n++;
	return m;
}

static inline void
work(struct made *m, uint64_t ticks)
{
	m->usage.user_time += ticks;
	m->usage.cycles += 100 * ticks;
	m->usage.instructions += 200 * ticks;
}

static struct kperf_processes *processes;
static struct process_reading reading;

/* The kernel, and what the test adds. */
static int
set_up(void **state)
{
	(void)state;
	memset(&mac, 0, sizeof(mac));
	made_topology.nkinds = 2;
	mac.now = (struct stamp){ 100000000000, 100000000000,
				  1700000100000000000 };
	add("kernel_task", 0);
	processes = kperf_processes_new(&made_host, &made_topology);
	return process_reading_init(&reading, 16) && processes != NULL ? 0 : -1;
}

static int
tear_down(void **state)
{
	(void)state;
	kperf_processes_free(processes);
	process_reading_free(&reading);
	return 0;
}

static inline void
look_for(const struct process_request *w)
{
	struct err e = { ERR_NONE, "" };

	mac.now.awake_ns += 1000000000;
	mac.now.elapsed_ns += 1000000000;
	mac.now.wall_ns += 1000000000;
	if (!kperf_processes_read(processes, &made_clock, w, &reading, &e))
		fail_msg("%s", e.text);
}

static inline void
look(void)
{
	look_for(NULL);
}

static inline const struct process_read *
row(int32_t pid)
{
	for (unsigned i = 0; i < reading.n; i++)
		if (reading.row[i].pid == pid)
			return &reading.row[i];
	return NULL;
}

#endif
