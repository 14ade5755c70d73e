/* Simulated kperfdata.framework on the tables of pmu/. */
#ifndef SIM_KPEP_H
#define SIM_KPEP_H

#include "kperf/api.h"
#include "pmu/pmu.h"

#include <stdbool.h>
#include <stddef.h>

enum sim_kpep_layout {
	SIM_KPEP_56, /* events 56, database 152 bytes */
	SIM_KPEP_48  /* events 48, database 144 bytes: macOS of 2021 */
};

const struct kperfdata_api *sim_kpep_api(void);

/* The machine of kpep_db_create(NULL): a CPU string or database name, copied.
 * !known: newer than the databases, so that NULL and its CPU string fail with
 * KPEP_DB_NOT_FOUND. Open databases stay. Default: M1, SIM_KPEP_56. */
void sim_kpep_set_machine(const char *cpu, enum sim_kpep_layout layout,
			  bool known);

/* Later databases contain only allow-listed events, as on older systems. Until
 * the next sim_kpep_set_machine. */
void sim_kpep_set_listed(void);

/* An unknown chip: events of table `events`, database `name`. Until the next
 * sim_kpep_set_machine. */
void sim_kpep_set_new(const char *events, const char *name);

#endif
