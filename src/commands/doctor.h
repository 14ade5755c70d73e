/* The report of ktop doctor. No name of a user or host is in it. */
#ifndef COMMANDS_DOCTOR_H
#define COMMANDS_DOCTOR_H

#include "options/options.h"
#include "source/examine.h"

#include <signal.h>
#include <stdio.h>

struct doctor {
	struct examine x; /* first: what the source is asked with */
	const struct options *o;
	const struct examine_question *ask; /* the source's */
	sigset_t stop;                      /* signals that end it early */
	struct sample *from, *to;           /* a reading and the next */
};

/*
 * Prints the whole report on x.s, or on what x.why says instead; the rest of *d
 * is the caller's to set, but the samples. Signals wait meanwhile. 0, or 128 +
 * the signal that cut it short.
 */
int doctor_report(struct doctor *d);

/* doctor_power.c: of a source that is open and has the call. */
void doctor_power(struct examine *x);

#endif
