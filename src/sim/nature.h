/*
 * Programs of a known nature, work=NATURE: what a CPU does all the time, so
 * that a test knows what must be said of it. docs/SIMULATION.md has the table.
 */
#ifndef SIM_NATURE_H
#define SIM_NATURE_H

#include "sim/work.h"

#include <stdbool.h>

enum sim_nature {
	SIM_NATURE_DRAWN, /* jobs come and go, as the seed says */
	SIM_NATURE_COMPUTE,
	SIM_NATURE_MEMORY,
	SIM_NATURE_BRANCHY,
	SIM_NATURE_STARVED,
	SIM_NATURE_KERNEL,
	SIM_NATURE_MIXED,
	SIM_NATURE_IDLE,
	SIM_NATURE_PHASES, /* four of them in turn */
	SIM_NATURE_BLEND,  /* another mixture each 2 s */
	SIM_NATURES
};

/*
 * A multiple of the grains in which the phases come round, since the moment
 * that every simulation starts at must not be in the middle of one.
 */
#define SIM_NATURE_GRAINS 960

/* NULL past the last one. */
const char *sim_nature_name(unsigned nature);

bool sim_nature_find(const char *name, enum sim_nature *out);

#endif
