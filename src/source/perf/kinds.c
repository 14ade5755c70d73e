/* Which family of cores each kind's PMU counts for, and its fixed pair. */
#include "source/perf/kinds.h"
#include "source/perf/sysfs.h"

#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
kinds_resolve(const struct perf_kind *k, const char *native,
	      struct perf_code *out)
{
	if (native[0] == '@')
		return pmu_linux_alias(&k->pmu, native + 1, NULL, out, NULL);
	return pmu_linux_terms(&k->pmu, native, out, NULL);
}

static const char *
cpuinfo_value(const char *text, const char *key)
{
	const char *at = text;
	size_t len = strlen(key);

	for (; at != NULL; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, len) != 0)
			continue;
		const char *colon = at + len + strspn(at + len, " \t");

		if (*colon == ':')
			return colon + 1 + strspn(colon + 1, " \t");
	}
	return NULL;
}

static void
identify_cpu(const char *root, struct linux_cpu *cpu)
{
	char text[4096];
	const char *v;

	if (!sysfs_text(root, "/proc/cpuinfo", text, sizeof text))
		return;
	if ((v = cpuinfo_value(text, "vendor_id")) != NULL) {
		if (strncmp(v, "GenuineIntel", 12) == 0)
			cpu->vendor = LINUX_VENDOR_INTEL;
		else if (strncmp(v, "AuthenticAMD", 12) == 0 ||
			 strncmp(v, "HygonGenuine", 12) == 0)
			cpu->vendor = LINUX_VENDOR_AMD;
	}
	if ((v = cpuinfo_value(text, "cpu family")) != NULL)
		cpu->family = (unsigned)strtoul(v, NULL, 10);
	if ((v = cpuinfo_value(text, "model")) != NULL)
		cpu->model = (unsigned)strtoul(v, NULL, 10);
}

/* From the first of the kind's CPUs that says so. */
static uint32_t
kind_midr(const struct topology *t, const char *root, unsigned kind)
{
	for (unsigned i = 0; i < t->ncpus; i++) {
		char path[80];
		int64_t midr;

		snprintf(
			path, sizeof path,
			"/sys/devices/system/cpu/cpu%d/regs/identification/midr_el1",
			t->cpu[i].id);
		if (t->cpu[i].kind == kind && sysfs_number(root, path, &midr))
			return (uint32_t)midr;
	}
	return 0;
}

/* The table's code, else the driver's alias, else the kernel's generic one. */
static void
fixed_code(const struct perf_kind *k, const char *native, const char *alias,
	   uint64_t generic, struct perf_code *out)
{
	if (native != NULL && kinds_resolve(k, native, out))
		return;
	if (k->family->cycles == NULL &&
	    pmu_linux_alias(&k->pmu, alias, NULL, out, NULL))
		return;
	*out = (struct perf_code){ .type = PERF_TYPE_HARDWARE,
				   .config = generic };
}

void
kinds_find(struct perf_catalog *c, const struct topology *t, const char *root)
{
	struct linux_cpu cpu = { .pmu_name = "" };

	identify_cpu(root, &cpu);
	for (unsigned i = 0; i < c->nkinds; i++) {
		struct perf_kind *k = &c->kind[i];
		const char *pmu = t->kind[i].pmu;

		k->family = &linux_generic;
		k->counts =
			pmu[0] != '\0' && pmu_linux_open(&k->pmu, root, pmu);
		cpu.pmu = k->pmu.name;
		cpu.pmu_name = k->pmu.kernel_name;
		if (cpu.vendor == LINUX_VENDOR_OTHER) /* no x86 */
			cpu.midr = kind_midr(t, root, i);
		if (k->counts)
			k->family = linux_pmu_find(&cpu);
		fixed_code(k, k->family->cycles, "cpu-cycles",
			   PERF_COUNT_HW_CPU_CYCLES, &k->cycles);
		fixed_code(k, k->family->instructions, "instructions",
			   PERF_COUNT_HW_INSTRUCTIONS, &k->instructions);
	}
}
