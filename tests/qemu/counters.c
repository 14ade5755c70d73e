/*
 * What the guest's kernel says, asked without any of ktop's code: one line per
 * CPU with its PMU and the cycles of some work done there. Static, for arm64.
 */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CYCLES 0x11 /* ARMv8 PMU event CPU_CYCLES */

static int
counter_open(unsigned type, int cpu)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof attr);
	attr.size = sizeof attr;
	attr.type = type;
	attr.config = CYCLES;
	return (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, 0);
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

int
main(int argc, char **argv)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	int found = 0;

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
