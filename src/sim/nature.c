#include "sim/nature.h"

#include <string.h>

/* 20 s of each phase; the first begins where a simulation starts, at 1000 s. */
#define PHASE_GRAINS 80u
#define PHASE_FIRST 50u

/* clang-format off */
static const struct {
	const char *name;
	int busy; /* hundredths */
	int mix[WORK_ACTIVITIES]; /* thousandths of the busy time */
} natures[SIM_NATURES] = {
	[SIM_NATURE_DRAWN]   = { "drawn",    0, { 0 } },
	[SIM_NATURE_COMPUTE] = { "compute", 90, { 860,  40,  60, 10,   0,   0,  30 } },
	[SIM_NATURE_MEMORY]  = { "memory",  90, {  30, 850,  50, 10,   0,   0,  60 } },
	[SIM_NATURE_BRANCHY] = { "branchy", 90, {  60,  60, 130, 10,   0, 690,  50 } },
	[SIM_NATURE_STARVED] = { "starved", 90, {  80,  40,  60, 10, 760,   0,  50 } },
	[SIM_NATURE_KERNEL]  = { "kernel",  90, {  80,  90, 110, 10,   0,   0, 710 } },
	[SIM_NATURE_MIXED]   = { "mixed",   90, {  35, 405,  10,  0, 215, 305,  30 } },
	[SIM_NATURE_IDLE]    = { "idle",     0, { 200, 150, 300, 10,   0,   0, 340 } },
	[SIM_NATURE_PHASES]  = { "phases",   0, { 0 } }
};
/* clang-format on */

static const enum sim_nature phases[] = { SIM_NATURE_COMPUTE, SIM_NATURE_MEMORY,
					  SIM_NATURE_BRANCHY,
					  SIM_NATURE_STARVED };

#define PHASES (sizeof phases / sizeof *phases)

const char *
sim_nature_name(unsigned nature)
{
	return nature < SIM_NATURES ? natures[nature].name : NULL;
}

bool
sim_nature_find(const char *name, enum sim_nature *out)
{
	for (unsigned i = 0; i < SIM_NATURES; i++)
		if (strcmp(natures[i].name, name) == 0) {
			*out = (enum sim_nature)i;
			return true;
		}
	return false;
}

struct work_phase
sim_nature_phase(enum sim_nature nature, unsigned grain)
{
	_Static_assert(SIM_NATURE_GRAINS % (PHASE_GRAINS * PHASES) == 0,
		       "the phases come round with the grains");
	if (nature == SIM_NATURE_PHASES) {
		unsigned turn =
			grain / PHASE_GRAINS + PHASES - PHASE_FIRST % PHASES;
		nature = phases[turn % PHASES];
	}
	return (struct work_phase){ natures[nature].busy, natures[nature].mix };
}
