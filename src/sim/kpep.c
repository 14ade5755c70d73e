#include "sim/kpep.h"

#include "pmu/pmu.h"
#include "sim/kpep_db.h"

#include <stdio.h>
#include <string.h>

/*
 * The machine that kpep_db_create(NULL) asks about. The framework has no
 * context argument, so that this part of the simulator is one for all.
 */
static struct {
	char cpu[SIM_KPEP_CPU_SIZE];
	enum sim_kpep_layout layout;
	bool known, listed;
	const struct pmu *events; /* of a new chip; else NULL */
	const char *name;         /* its database's */
} machine = { .cpu = "cpu_100000c_2_1b588bb3", .known = true };

void
sim_kpep_set_machine(const char *cpu, enum sim_kpep_layout layout, bool known)
{
	snprintf(machine.cpu, sizeof machine.cpu, "%s", cpu);
	machine.layout = layout;
	machine.known = known;
	machine.listed = false;
	machine.events = NULL;
}

void
sim_kpep_set_listed(void)
{
	machine.listed = true;
}

void
sim_kpep_set_new(const char *events, const char *name)
{
	machine.events = pmu_by_db(events);
	machine.name = name;
}

static bool
is_new(const char *name)
{
	return machine.events != NULL && (strcmp(name, machine.cpu) == 0 ||
					  strcmp(name, machine.name) == 0);
}

/*
 * A name stands for <name>.plist: a database, or a CPU string, which is a
 * symbolic link to one. *cpu gets the CPU string to put into the database.
 */
static const struct pmu *
find_pmu(const char *name, const char **cpu)
{
	const struct pmu *p = pmu_by_db(name);

	*cpu = p != NULL ? p->chip[0].cpu : name;
	return p != NULL ? p : pmu_by_cpu(name, NULL);
}

static int
sim_kpep_db_create(const char *name, struct kpep_db **db)
{
	const struct pmu *p;
	const char *cpu;

	if (db == NULL)
		return KPEP_INVALID_ARGUMENT;
	*db = NULL;
	if (name == NULL)
		name = machine.cpu;
	if (!machine.known && strcmp(name, machine.cpu) == 0)
		return KPEP_DB_NOT_FOUND;
	cpu = machine.cpu;
	p = is_new(name) ? machine.events : find_pmu(name, &cpu);
	if (p == NULL)
		return KPEP_DB_NOT_FOUND;
	*db = sim_kpep_db_new(p, cpu, machine.layout,
			      machine.listed && p->allowed != NULL);
	if (*db != NULL && is_new(name))
		(*db)->name = machine.name;
	return *db != NULL ? KPEP_OK : KPEP_OUT_OF_MEMORY;
}

#define IS(m) .m = sim_##m,

const struct kperfdata_api *
sim_kpep_api(void)
{
	static const struct kperfdata_api api = { KPERFDATA_SYMBOLS(IS) };

	return &api;
}
