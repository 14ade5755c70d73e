/* What befalls a machine in a year, drawn from a seed. */
#ifndef TESTS_SOAK_TROUBLE_H
#define TESTS_SOAK_TROUBLE_H

#include "sim/machine.h"

#include <stdbool.h>
#include <stdint.h>

enum trouble_kind {
	/* The simulator's own faults. */
	TROUBLE_STEAL,
	TROUBLE_BUSY,
	TROUBLE_TAKEN,
	TROUBLE_EPERM,
	TROUBLE_REFUSE,
	TROUBLE_DEAD, /* an event is taken, and counts nothing */
	TROUBLE_OFF,
	TROUBLE_SLEEP,
	TROUBLE_SLOW,
	TROUBLE_WALL,
	/* What another root process does in one moment. */
	TROUBLE_WORDS,    /* writes its words and counts */
	TROUBLE_PLACE,    /* writes one word only, and stops nothing */
	TROUBLE_STOP,     /* stops all counting */
	TROUBLE_CLASSES,  /* counts the fixed pair only */
	TROUBLE_RESTART,  /* stops what counts, and starts it again */
	TROUBLE_FORCE,    /* asks for force, and to release it */
	TROUBLE_HARMLESS, /* periods, actions, counters of threads */
	/* What the person or the system does with ktop. */
	TROUBLE_PRESET,
	TROUBLE_RELEASE, /* i, and i again a moment later */
	TROUBLE_PAUSE,   /* nobody reads for a while */
	TROUBLE_REOPEN,  /* ktop ends and starts again */
	TROUBLE_KINDS
};
extern const char *const trouble_name[TROUBLE_KINDS];

struct dice {
	uint64_t state;
};
uint64_t dice_roll(struct dice *d, uint64_t sides);

/*
 * Draws one of the simulator's faults for a machine as text for sim_fault,
 * and when it is over, in seconds from now. nap: the machine powers down by
 * itself, so no other CPUs are switched off. quick: slow calls are not so slow
 * that a thief fits in the middle of programming, which nobody could see.
 */
int64_t trouble_fault(struct dice *d, enum trouble_kind kind,
		      const struct sim_machine *m, bool nap, bool quick,
		      char *out, unsigned size);

/*
 * One of the second kind, done at once by a process of its own; false: the
 * kernel refuses it as it does everybody.
 */
bool trouble_neighbour(struct dice *d, enum trouble_kind kind);

/* The neighbour leaves: puts counting to 0. */
void trouble_neighbour_ends(void);

#endif
