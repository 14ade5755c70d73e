/* The report of ktop doctor, without names of users and hosts. */
#ifndef COMMANDS_DOCTOR_H
#define COMMANDS_DOCTOR_H

#include "options/options.h"
#include "source/examine.h"

#include <signal.h>
#include <stdio.h>

struct doctor {
	struct examine x; /* first */
	const struct options *o;
	const struct examine_question *ask;
	sigset_t stop; /* signals that end it early */
	struct sample *from, *to;
};

/* Prints the report on x.s, or x.why. The caller sets all of *d except the
 * samples, and blocks signals. Returns 0, or 128 + the signal that ended it. */
int doctor_report(struct doctor *d);

/* doctor_power.c: section energy of an open source with ops->power. */
void doctor_power(struct examine *x);

#endif
