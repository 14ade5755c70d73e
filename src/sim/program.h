/*
 * Programs of known behaviour, work=PROGRAM: what a CPU does all the time, so
 * that a test knows what must be said of it. docs/SIMULATION.md has the table.
 */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include "sim/work.h"

#include <stdbool.h>

enum sim_program {
	SIM_PROGRAM_DRAWN, /* jobs come and go, as the seed says */
	SIM_PROGRAM_COMPUTE,
	SIM_PROGRAM_MEMORY,
	SIM_PROGRAM_BRANCHY,
	SIM_PROGRAM_STARVED,
	SIM_PROGRAM_KERNEL,
	SIM_PROGRAM_MIXED,
	SIM_PROGRAM_IDLE,
	SIM_PROGRAM_PHASES, /* four of them in turn */
	SIM_PROGRAM_BLEND,  /* another mixture each 2 s */
	SIM_PROGRAMS
};

/*
 * A multiple of the grains in which the phases come round, since the moment
 * that every simulation starts at must not be in the middle of one.
 */
#define SIM_PROGRAM_GRAINS 960

/* NULL past the last one. */
const char *sim_program_name(unsigned program);

bool sim_program_find(const char *name, enum sim_program *out);

#endif
