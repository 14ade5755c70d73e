#include "pmu/pmu.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

/* Oldest first. */
/* clang-format off */
#define GENERATIONS(ROW) \
	ROW(intel) \
	ROW(m1) \
	ROW(m2) \
	ROW(m3) \
	ROW(m4) \
	ROW(m5) \
	ROW(m6)
/* clang-format on */

/* A row without db ends a table. */
#define TABLE_IS_THERE(name) extern const struct pmu pmu_##name[];
#define TABLE(name) pmu_##name,
GENERATIONS(TABLE_IS_THERE)
static const struct pmu *const generations[] = { GENERATIONS(TABLE) };

const struct pmu *
pmu_at(unsigned i)
{
	size_t n = sizeof generations / sizeof generations[0];

	for (size_t g = 0; g < n; g++)
		for (const struct pmu *p = generations[g]; p->db != NULL; p++)
			if (i-- == 0)
				return p;
	return NULL;
}

const struct pmu *
pmu_by_db(const char *db)
{
	const struct pmu *p;

	for (unsigned i = 0; db != NULL && (p = pmu_at(i)) != NULL; i++)
		if (strcmp(p->db, db) == 0)
			return p;
	return NULL;
}

/* Ignores a fourth part "_<hex>" on Intel, and Apple's subtype. */
static bool
chip_matches(const struct pmu *p, const char *known, const char *cpu)
{
	static const char apple[] = "cpu_100000c_";
	size_t len = strlen(known);

	if (!p->intel && strncmp(cpu, apple, sizeof apple - 1) == 0) {
		const char *family = strchr(cpu + sizeof apple - 1, '_');

		return family != NULL &&
		       strcmp(family, strrchr(known, '_')) == 0;
	}
	if (strncmp(cpu, known, len) != 0)
		return false;
	if (cpu[len] == '\0')
		return true;
	if (!p->intel || cpu[len] != '_' || cpu[len + 1] == '\0')
		return false;
	for (cpu += len + 1; isxdigit((unsigned char)*cpu); cpu++)
		continue;
	return *cpu == '\0';
}

const struct pmu *
pmu_by_cpu(const char *cpu)
{
	const struct pmu *p;

	for (unsigned i = 0; cpu != NULL && (p = pmu_at(i)) != NULL; i++)
		for (unsigned n = 0; n < PMU_CHIPS_MAX; n++)
			if (p->cpu[n] != NULL &&
			    chip_matches(p, p->cpu[n], cpu))
				return p;
	return NULL;
}

const struct pmu_event *
pmu_event_find(const struct pmu *p, const char *name)
{
	if (p == NULL || name == NULL)
		return NULL;
	for (unsigned i = 0; i < p->nevents; i++) {
		const char *alias = p->events[i].alias;

		if (alias != NULL && strcmp(alias, name) == 0)
			return &p->events[i];
	}
	for (unsigned i = 0; i < p->nevents; i++)
		if (strcmp(p->events[i].name, name) == 0)
			return &p->events[i];
	return NULL;
}

bool
pmu_allows(const struct pmu *p, uint64_t selector)
{
	if (selector == 0)
		return true;
	for (unsigned i = 0; i < p->nallowed; i++)
		if (p->allowed[i] == selector)
			return true;
	return p->intel;
}
