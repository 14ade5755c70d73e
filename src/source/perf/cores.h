/* What sysfs says of each CPU, before it becomes a topology. */
#ifndef SOURCE_PERF_CORES_H
#define SOURCE_PERF_CORES_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum { CORE_PMUS_MAX = 16, CORE_PMU_NAME_SIZE = 32 };

/* CPUID 0x80000026 EBX[31:28] of AMD's, plus one. */
enum core_type {
	CORE_TYPE_ALIKE,
	CORE_TYPE_CLASSIC,
	CORE_TYPE_DENSE, /* Zen 4c, Zen 5c */
	CORE_TYPE_LOW_POWER
};

/* Measures of how fast a core is, best first; 0: not known. */
enum core_speed {
	CORE_CAPACITY,     /* cpu_capacity, of 1024 */
	CORE_HIGHEST_PERF, /* acpi_cppc/highest_perf */
	CORE_MAX_FREQ,     /* cpufreq/cpuinfo_max_freq, kHz */
	CORE_SPEEDS
};

struct core {
	int id;
	int pmu;       /* index in cores.pmu, -1: none counts it */
	uint32_t part; /* ARM: implementer and part of MIDR; 0 elsewhere */
	int first;     /* first CPU on line of its physical core */
	int cluster_id, package, die; /* -1: none */
	int l3;   /* first CPU that shares its L3, -1: none */
	int type; /* AMD: enum core_type; CORE_TYPE_ALIKE elsewhere */
	int64_t speed[CORE_SPEEDS];
};

struct cores {
	unsigned len, npmus;
	struct core *core; /* [len], by id */
	char pmu[CORE_PMUS_MAX][CORE_PMU_NAME_SIZE];
	bool amd;
};

/* False and *e when the system does not say which CPUs are on line. */
bool cores_there(const char *root, struct err *e);
bool cores_read(const char *root, struct cores *out, struct err *e);
void cores_free(struct cores *c);

/* Does that core PMU count CPU id, on line or not? For `list` there is room. */
struct cpu_list;
bool cores_pmu_has(const char *root, const char *pmu, int id,
		   struct cpu_list *list);

/*
 * cpuid.c: the core type of CPU `id`, asked on it (the thread moves there
 * and back); CORE_TYPE_ALIKE where it does not say or cannot be asked.
 */
int cpuid_core_type(int id);

#endif
