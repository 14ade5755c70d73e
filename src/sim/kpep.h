/* A simulated kperfdata.framework over the tables of pmu/. */
#ifndef SIM_KPEP_H
#define SIM_KPEP_H

#include "kperf/api.h"
#include "pmu/pmu.h"

#include <stdbool.h>
#include <stddef.h>

/* Which of the two known memory layouts new databases get. */
enum sim_kpep_layout {
	SIM_KPEP_56, /* events of 56 bytes, database of 152 */
	SIM_KPEP_48  /* events of 48 bytes, database of 144: macOS of 2021 */
};

/* The 23 functions; the struct is static. */
const struct kperfdata_api *sim_kpep_api(void);

/*
 * The machine that kpep_db_create(NULL) finds: a CPU string or a database
 * name. `known` false: a chip newer than the system's databases; then NULL
 * and the machine's own CPU string fail with KPEP_DB_NOT_FOUND, but other
 * names work. The string is copied. Databases that are open stay as they are.
 * Until it is called the machine is an M1, SIM_KPEP_56.
 */
void sim_kpep_set_machine(const char *cpu, enum sim_kpep_layout layout,
			  bool known);

/*
 * An older system: its databases have only what the allow-list has, which is
 * all public events of that time. Until the next sim_kpep_set_machine.
 */
void sim_kpep_set_listed(void);

/*
 * A chip that nobody's table has: its database has the events of `events`, one
 * of ours, under a name of its own. Until the next sim_kpep_set_machine.
 */
void sim_kpep_set_new(const char *events, const char *name);

#endif
