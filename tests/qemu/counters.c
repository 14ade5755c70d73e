/*
 * What the guest's kernel says, asked without any of ktop's code. Static, for
 * arm64.
 *
 *	counters PMU...		a line per CPU: its PMU, and cycles of some work
 *	counters -s SECONDS	as perf stat -a -A: a line per CPU with cycles,
 *				instructions, enabled and running ns, and
 *				context switches
 *	counters -h SECONDS [N]	holds so many counters of every CPU (all)
 *	counters -w CPU...	works on these by turns, until it is killed
 *	counters -n TURNS CPU...	likewise, but so many turns
 *	counters -l TURNS CPU	so many turns of work there, each with two
 *				context switches
 *	counters -u UID COMMAND...	runs it as that user, without
 *				capabilities
 *	counters -k CAP UID COMMAND...	likewise, but with that one
 */
#define _GNU_SOURCE
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ARMv8 PMU events */
#define CYCLES 0x11
#define NOTHING 0x3ff /* no core has it, any PMU takes it */

enum { CPUS_MAX = 64, HELD_MAX = 32 };

static int
attr_open(struct perf_event_attr *attr, int cpu, int group)
{
	attr->size = sizeof *attr;
	return (int)syscall(SYS_perf_event_open, attr, -1, cpu, group, 0);
}

static int
counter_open(unsigned type, int cpu)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.type = type;
	attr.config = CYCLES;
	return attr_open(&attr, cpu, -1);
}

static void
work_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) != 0)
		perror("sched_setaffinity");
	for (volatile int i = 0; i < 100000; i++)
		;
}

/* 0 turns: for ever */
static int
work_by_turns(int turns, char **cpu, int n)
{
	for (int turn = 0; turns == 0 || turn < turns; turn++)
		for (int i = 0; i < 50; i++)
			work_on(atoi(cpu[turn % n]));
	return 0;
}

/* A child on the same CPU answers after each: its turn is a switch, too. */
static int
load(int turns, int cpu)
{
	int out[2], back[2];
	char c = 0;

	if (pipe(out) != 0 || pipe(back) != 0)
		return 1;
	work_on(cpu);
	if (fork() == 0) {
		close(out[1]);
		while (read(out[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
			;
		_exit(0);
	}
	while (turns-- > 0) {
		work_on(cpu);
		if (write(out[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			return 1;
	}
	return 0;
}

static bool
pmu_report(const char *pmu, unsigned type, int cpu)
{
	uint64_t n = 0;
	int fd = counter_open(type, cpu);

	if (fd < 0)
		return false; /* this PMU does not have that CPU */
	work_on(cpu);
	if (read(fd, &n, sizeof n) != sizeof n)
		n = 0;
	printf("%d\t%s\t%llu\n", cpu, pmu, (unsigned long long)n);
	close(fd);
	return true;
}

static bool
pmu_type(const char *pmu, unsigned *type)
{
	char path[128];

	snprintf(path, sizeof path, "/sys/bus/event_source/devices/%s/type",
		 pmu);
	FILE *f = fopen(path, "r");

	if (f == NULL)
		return false;
	bool ok = fscanf(f, "%u", type) == 1;

	fclose(f);
	return ok;
}

static int
stat_all(int seconds)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int leader[CPUS_MAX];
	struct {
		uint64_t nr, enabled, running, value[3];
	} v;

	for (int cpu = 0; cpu < cpus; cpu++) {
		struct perf_event_attr attr;

		memset(&attr, 0, sizeof attr);
		attr.type = PERF_TYPE_HARDWARE;
		attr.config = PERF_COUNT_HW_CPU_CYCLES;
		attr.disabled = 1;
		attr.exclude_guest = 1;
		attr.read_format = PERF_FORMAT_GROUP |
				   PERF_FORMAT_TOTAL_TIME_ENABLED |
				   PERF_FORMAT_TOTAL_TIME_RUNNING;
		leader[cpu] = attr_open(&attr, cpu, -1);
		attr.config = PERF_COUNT_HW_INSTRUCTIONS;
		attr.disabled = 0;
		if (leader[cpu] < 0 || attr_open(&attr, cpu, leader[cpu]) < 0)
			return 1;
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_CONTEXT_SWITCHES;
		if (attr_open(&attr, cpu, leader[cpu]) < 0)
			return 1;
	}
	for (int cpu = 0; cpu < cpus; cpu++)
		ioctl(leader[cpu], PERF_EVENT_IOC_ENABLE, 0);
	sleep((unsigned)seconds);
	for (int cpu = 0; cpu < cpus; cpu++) {
		if (read(leader[cpu], &v, sizeof v) != sizeof v)
			return 1;
		printf("%d\t%llu\t%llu\t%llu\t%llu\t%llu\n", cpu,
		       (unsigned long long)v.value[0],
		       (unsigned long long)v.value[1],
		       (unsigned long long)v.enabled,
		       (unsigned long long)v.running,
		       (unsigned long long)v.value[2]);
	}
	return 0;
}

/* Pinned events go first: nothing else gets these counters. */
static int
hold(int seconds, int most)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int held = 0;

	for (int cpu = 0; cpu < cpus; cpu++)
		for (int i = 0; i < most; i++) {
			struct perf_event_attr attr;

			memset(&attr, 0, sizeof attr);
			attr.type = PERF_TYPE_RAW;
			attr.config = NOTHING;
			attr.pinned = 1;
			held += attr_open(&attr, cpu, -1) >= 0;
		}
	sleep((unsigned)seconds);
	return held > 0 ? 0 : 1;
}

/* An ambient capability is the kind that an exec keeps. */
static bool
keep_one(int cap)
{
	struct __user_cap_header_struct head = { _LINUX_CAPABILITY_VERSION_3,
						 0 };
	struct __user_cap_data_struct data[2];

	memset(data, 0, sizeof data);
	data[cap / 32].permitted = data[cap / 32].effective =
		data[cap / 32].inheritable = 1U << cap % 32;
	return syscall(SYS_capset, &head, data) == 0 &&
	       prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, cap, 0, 0) == 0;
}

/* cap < 0: none */
static int
run_as(int cap, uid_t uid, char **command)
{
	if (prctl(PR_SET_KEEPCAPS, cap >= 0) == 0 && setgid(uid) == 0 &&
	    setuid(uid) == 0 && (cap < 0 || keep_one(cap)))
		execv(command[0], command);
	perror(command[0]);
	return 127;
}

int
main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int found = 0;

	if (argc == 3 && strcmp(argv[1], "-s") == 0)
		return stat_all(atoi(argv[2]));
	if ((argc == 3 || argc == 4) && strcmp(argv[1], "-h") == 0)
		return hold(atoi(argv[2]),
			    argc == 4 ? atoi(argv[3]) : HELD_MAX);
	if (argc > 2 && strcmp(argv[1], "-w") == 0)
		return work_by_turns(0, argv + 2, argc - 2);
	if (argc == 4 && strcmp(argv[1], "-l") == 0)
		return load(atoi(argv[2]), atoi(argv[3]));
	if (argc > 3 && strcmp(argv[1], "-n") == 0)
		return work_by_turns(atoi(argv[2]), argv + 3, argc - 3);
	if (argc > 3 && strcmp(argv[1], "-u") == 0)
		return run_as(-1, (uid_t)atoi(argv[2]), argv + 3);
	if (argc > 4 && strcmp(argv[1], "-k") == 0)
		return run_as(atoi(argv[2]), (uid_t)atoi(argv[3]), argv + 4);
	for (int i = 1; i < argc; i++) {
		unsigned type;

		if (!pmu_type(argv[i], &type)) {
			fprintf(stderr, "no PMU called %s\n", argv[i]);
			return 1;
		}
		for (int cpu = 0; cpu < cpus; cpu++)
			found += pmu_report(argv[i], type, cpu);
	}
	return found == cpus ? 0 : 1;
}
