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
	snprintf(machine.cpu, sizeof(machine.cpu), "%s", cpu);
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
kpep_db_create(const char *name, struct kpep_db **db)
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

const struct kperfdata_api *
sim_kpep_api(void)
{
	static const struct kperfdata_api api = {
		.kpep_db_create = kpep_db_create,
		.kpep_db_free = sim_kpep_db_free,
		.kpep_db_name = sim_kpep_db_name,
		.kpep_db_aliases_count = sim_kpep_db_aliases_count,
		.kpep_db_aliases = sim_kpep_db_aliases,
		.kpep_db_counters_count = sim_kpep_db_counters_count,
		.kpep_db_events_count = sim_kpep_db_events_count,
		.kpep_db_events = sim_kpep_db_events,
		.kpep_db_event = sim_kpep_db_event,
		.kpep_event_name = sim_kpep_event_name,
		.kpep_event_alias = sim_kpep_event_alias,
		.kpep_event_description = sim_kpep_event_description,
		.kpep_config_create = sim_kpep_config_create,
		.kpep_config_free = sim_kpep_config_free,
		.kpep_config_force_counters = sim_kpep_config_force_counters,
		.kpep_config_add_event = sim_kpep_config_add_event,
		.kpep_config_remove_event = sim_kpep_config_remove_event,
		.kpep_config_events_count = sim_kpep_config_events_count,
		.kpep_config_events = sim_kpep_config_events,
		.kpep_config_kpc_classes = sim_kpep_config_kpc_classes,
		.kpep_config_kpc_count = sim_kpep_config_kpc_count,
		.kpep_config_kpc = sim_kpep_config_kpc,
		.kpep_config_kpc_map = sim_kpep_config_kpc_map,
	};

	return &api;
}
