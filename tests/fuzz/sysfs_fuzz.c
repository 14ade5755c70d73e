/*
 * /sys and /proc of a Linux machine with three CPUs: the input, cut at bytes
 * of 0xff, is the text of one file after the other; an empty part is a file
 * that is not there.
 */
#include "source/perf/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CPU(n, name) "sys/devices/system/cpu/cpu" #n "/" name
#define OF_CPU(n)                                                     \
	CPU(n, "topology/core_id"), CPU(n, "topology/cluster_id"),    \
		CPU(n, "topology/physical_package_id"),               \
		CPU(n, "topology/thread_siblings_list"),              \
		CPU(n, "topology/core_cpus_list"),                    \
		CPU(n, "cache/index3/shared_cpu_list"),               \
		CPU(n, "cache/index3/level"), CPU(n, "cpu_capacity"), \
		CPU(n, "regs/identification/midr_el1")

#define PMU(name) "sys/bus/event_source/devices/" name
#define TYPE_OF(n) "sys/kernel/debug/x86/topo/cpus/" #n

/* New ones go to the end: the corpus counts them. */
static const char *const paths[] = {
	"sys/devices/system/cpu/online",
	"sys/devices/system/cpu/possible",
	"sys/devices/system/cpu/present",
	"sys/devices/cpu_core/cpus",
	"sys/devices/cpu_core/type",
	"sys/devices/cpu_atom/cpus",
	"sys/bus/event_source/devices/armv8_pmuv3_0/cpus",
	"sys/bus/event_source/devices/armv8_pmuv3_0/type",
	"sys/bus/event_source/devices/cpu/type",
	"sys/bus/event_source/devices/cpu_core/cpus",
	"sys/bus/event_source/devices/cpu_atom/cpus",
	"proc/cpuinfo",
	OF_CPU(0),
	OF_CPU(1),
	OF_CPU(2),
	PMU("armv8_pmuv3_0/cpumask"),
	PMU("armv8_pmuv3_1/cpus"),
	PMU("armv8_pmuv3_1/type"),
	PMU("armv8_pmuv3_1/events/br_retired"),
	PMU("armv8_pmuv3_1/format/event"),
	PMU("armv8_pmuv3_1/caps/slots"),
	PMU("cpu/format/event"),
	PMU("cpu_core/type"),
	PMU("cpu_core/events/slots"),
	PMU("cpu_core/format/umask"),
	PMU("cpu_atom/type"),
	PMU("cpu_atom/caps/pmu_name"),
	"sys/devices/system/cpu/modalias",
	TYPE_OF(0),
	TYPE_OF(1),
	TYPE_OF(2),
	CPU(0, "acpi_cppc/highest_perf"),
	CPU(1, "cpufreq/cpuinfo_max_freq"),
	"proc/sys/kernel/nmi_watchdog",
};
enum { PATHS = sizeof(paths) / sizeof(*paths) };

static char root[64];

static void
make_parents(const char *path)
{
	char copy[256];

	(void)snprintf(copy, sizeof(copy), "%s", path);
	for (char *p = strchr(copy + 1, '/'); p != NULL;
	     p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(copy, 0755) != 0 && errno != EEXIST)
			abort();
		*p = '/';
	}
}

static void
leave(void)
{
	char command[128];

	(void)snprintf(command, sizeof(command), "rm -rf '%s'", root);
	if (chdir("/") == 0)
		(void)!system(command);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	/* In memory where there is such a folder: many small files. */
	(void)snprintf(root, sizeof(root), "%s/ktop-fuzz-XXXXXX",
		       access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	if (mkdtemp(root) == NULL)
		abort();
	(void)atexit(leave);
	return 0;
}

static void
put(const char *path, const uint8_t *text, size_t n)
{
	char name[256];
	int fd;

	(void)snprintf(name, sizeof(name), "%s/%s", root, path);
	(void)unlink(name);
	if (n == 0)
		return;
	make_parents(name);
	fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0)
		abort();
	(void)!write(fd, text, n);
	(void)close(fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct err e = { ERR_NONE, "" };
	struct perf_catalog_options o = { .root = root };
	struct perf_catalog c;
	struct topology *t;

	for (unsigned i = 0; i < PATHS; i++) {
		const uint8_t *end = size > 0 ? memchr(data, 0xff, size) : NULL;
		size_t n = end != NULL ? (size_t)(end - data) : size;

		put(paths[i], data, n);
		data += n;
		size -= n;
		if (size > 0) {
			data++;
			size--;
		}
	}
	topology_free(topology_linux_present(root, &e));
	t = topology_linux(root, &e);
	if (t != NULL && perf_catalog_build(&c, t, &o, &e))
		perf_catalog_free(&c);
	topology_free(t);
	return 0;
}
