/* What sysfs says of each CPU, before it becomes a topology. */
#ifndef SOURCE_CORES_LINUX_H
#define SOURCE_CORES_LINUX_H

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

struct core {
	int id;
	int pmu;       /* index in cores.pmu, -1: none counts it */
	uint32_t part; /* ARM: implementer and part of MIDR; 0 elsewhere */
	int first;     /* first CPU of its physical core */
	int cluster_id, package, die; /* -1: none */
	int l3;        /* first CPU that shares its L3, -1: none */
	int type;      /* AMD: enum core_type; CORE_TYPE_ALIKE elsewhere */
	int64_t speed; /* cpu_capacity, else the highest frequency; 0 */
};

struct cores {
	unsigned len, npmus;
	struct core *core; /* [len], by id */
	char pmu[CORE_PMUS_MAX][CORE_PMU_NAME_SIZE];
	bool amd;
};

/* False and *e when the system does not say which CPUs are on line. */
bool cores_read(const char *root, struct cores *out, struct err *e);
void cores_free(struct cores *c);

/*
 * cpuid_linux.c: the core type of CPU `id`, asked on it (the thread moves there
 * and back); CORE_TYPE_ALIKE where it does not say or cannot be asked.
 */
int cpuid_core_type(int id);

#endif
