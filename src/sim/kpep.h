/* Simulated kperfdata.framework, with the event tables of pmu/. */
#ifndef SIM_KPEP_H
#define SIM_KPEP_H

#include "kperf/api.h"
#include "pmu/pmu.h"

#include <stdbool.h>
#include <stddef.h>

enum sim_kpep_layout {
	SIM_KPEP_56, /* event 56 bytes, database 152 bytes */
	SIM_KPEP_48  /* event 48 bytes, database 144 bytes: macOS of 2021 */
};

const struct kperfdata_api *sim_kpep_api(void);

/* Sets the machine of kpep_db_create(NULL). known false: no database exists for
 * `cpu`, as for a chip newer than macOS. Open databases stay valid. Default:
 * M1, SIM_KPEP_56. */
void sim_kpep_set_machine(const char *cpu, enum sim_kpep_layout layout,
			  bool known);

/* Databases created from now on have only allow-listed events, as on older
 * systems. sim_kpep_set_machine undoes this. */
void sim_kpep_set_listed(void);

/* Simulates an unknown chip: for its CPU string and for `name`, kpep_db_create
 * returns the events of database `events`. sim_kpep_set_machine undoes this. */
void sim_kpep_set_new(const char *events, const char *name);

#endif
