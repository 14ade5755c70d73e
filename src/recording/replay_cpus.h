/* Which CPUs a recording has, and where each sits: they can come late. */
#ifndef RECORDING_REPLAY_CPUS_H
#define RECORDING_REPLAY_CPUS_H

#include "recording/recording.h"

#include <stdbool.h>

/* Zeroed, it knows none. */
struct replay_cpus {
	unsigned n;
	/* [n], by id, as of their best row; counts.ncpus 0: not from the first
	 * on */
	struct recording_cpu *cpu;
	bool started, foreign; /* foreign: a run of another machine */
	char run[24];
};

/*
 * Would this frame say more than is known: a CPU that came on line since, or
 * what kind of core one is that was off line before? Not where a run begins
 * (`run`: of the frame before; NULL: none) with other CPUs: that is another
 * machine.
 */
bool replay_cpus_news(const struct replay_cpus *k,
		      const struct recording_frame *f, const char *run);

/* Takes in all that the frame says. False and *e when memory is short. */
bool replay_cpus_add(struct replay_cpus *k, const struct recording_frame *f,
		     struct err *e);

/* The frames of a recording one after the other, the first included. */
bool replay_cpus_follow(struct replay_cpus *k, const struct recording_frame *f,
			struct err *e);

void replay_cpus_done(struct replay_cpus *k);

#endif
