/*
 * What a machine pays for being looked at, in the guest of boot.sh, whose
 * emulator counts the instructions of all CPUs as one number: a counter of one
 * CPU tells what the whole machine did. Static, for arm64.
 *
 *	cost COMMAND...		runs it, then prints a line: interrupts that one
 *				CPU sent another to have a function called,
 *				instructions of the machine, ns of CPU time
 *	cost -r N EVENT...	reads a group of these of each CPU so many
 *times, twice a second, from where it is cost -h N EVENT...	likewise, but
 *goes to each CPU to read there
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { INST_RETIRED = 0x8, CPUS_MAX = 64, EVENTS_MAX = 16 };

static int
raw_open(uint64_t event, int cpu, int group)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.size = sizeof attr;
	attr.type = PERF_TYPE_RAW;
	attr.config = event;
	attr.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
			   PERF_FORMAT_TOTAL_TIME_RUNNING;
	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, group, 0);
}

static uint64_t
count_of(int fd)
{
	uint64_t v[4] = { 0 };

	return read(fd, v, sizeof v) == sizeof v ? v[3] : 0;
}

/* All CPUs' together, from the kernel's own table. */
static uint64_t
calls(void)
{
	FILE *f = fopen("/proc/interrupts", "r");
	char line[1024];
	uint64_t sum = 0;

	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		char *p = strchr(line, ':'), *end = NULL;

		if (p == NULL || strstr(line, "Function call") == NULL)
			continue;
		for (p++;; p = end) {
			uint64_t n = strtoull(p, &end, 10);

			if (end == p)
				break;
			sum += n;
		}
	}
	if (f != NULL)
		fclose(f);
	return sum;
}

static int
pay(char **command)
{
	int fd = raw_open(INST_RETIRED, 0, -1), status = 0;
	struct rusage used;

	if (fd < 0) {
		perror("perf_event_open");
		return 1;
	}
	uint64_t interrupts = calls(), before = count_of(fd);
	pid_t child = fork();

	if (child == 0) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (wait4(child, &status, 0, &used) != child || status != 0)
		return 1;
	uint64_t after = count_of(fd);
	long long us =
		(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000LL +
		used.ru_utime.tv_usec + used.ru_stime.tv_usec;

	printf("%llu %llu %lld\n", (unsigned long long)(calls() - interrupts),
	       (unsigned long long)(after - before), us * 1000);
	return 0;
}

static void
go_to(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof set, &set) != 0)
		perror("sched_setaffinity");
}

static int
look(int n, char **event, int events, bool go)
{
	int cpus = (int)sysconf(_SC_NPROCESSORS_ONLN), leader[CPUS_MAX];
	struct timespec half = { .tv_nsec = 500000000 };
	uint64_t v[3 + EVENTS_MAX];

	for (int cpu = 0; cpu < cpus; cpu++) {
		leader[cpu] = -1;
		for (int i = 0; i < events; i++) {
			int fd = raw_open(strtoull(event[i], NULL, 16), cpu,
					  leader[cpu]);

			if (fd < 0) {
				perror(event[i]);
				return 1;
			}
			if (i == 0)
				leader[cpu] = fd;
		}
	}
	for (int i = 0; i < n; i++) {
		nanosleep(&half, NULL);
		for (int cpu = 0; cpu < cpus; cpu++) {
			if (go)
				go_to(cpu);
			if (read(leader[cpu], v, sizeof v) <= 0)
				return 1;
		}
	}
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc > 3 && argc <= 3 + EVENTS_MAX &&
	    (strcmp(argv[1], "-r") == 0 || strcmp(argv[1], "-h") == 0))
		return look(atoi(argv[2]), argv + 3, argc - 3,
			    argv[1][1] == 'h');
	return argc > 1 ? pay(argv + 1) : 2;
}
