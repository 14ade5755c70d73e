/* Programs of known behaviour (work=PROGRAM), for tests of bottlenecks; table
 * in docs/SIMULATION.md. */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include "sim/work.h"

#include <stdbool.h>

enum sim_program {
	SIM_PROGRAM_DRAWN, /* jobs by seed */
	SIM_PROGRAM_COMPUTE,
	SIM_PROGRAM_MEMORY,
	SIM_PROGRAM_BRANCHY,
	SIM_PROGRAM_FRONTEND,
	SIM_PROGRAM_KERNEL,
	SIM_PROGRAM_MIXED,
	SIM_PROGRAM_IDLE,
	SIM_PROGRAM_PHASES, /* four programs in turn */
	SIM_PROGRAM_BLEND,  /* a new mix every 2 s */
	SIM_PROGRAMS
};

/* A multiple of each phase's length: a simulation starts with a phase. */
#define SIM_PROGRAM_GRAINS 960

/* NULL: no more programs. */
const char *sim_program_name(unsigned program);

bool sim_program_find(const char *name, enum sim_program *out);

#endif
