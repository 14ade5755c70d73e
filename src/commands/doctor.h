/* The report of ktop doctor, without names of users or hosts. */
#ifndef COMMANDS_DOCTOR_H
#define COMMANDS_DOCTOR_H

#include "options/options.h"
#include "source/examine.h"

#include <signal.h>
#include <stdio.h>

struct doctor {
	struct examine x; /* must be first */
	const struct options *o;
	const struct examine_question *ask;
	sigset_t stop; /* signals that end the report early */
	struct sample *from, *to;
};

/* Prints the report on x.s, or x.why without a source. The caller sets all of
 * *d except the samples, and blocks signals. Returns 0, or 128 + the signal. */
int doctor_report(struct doctor *d);

/* doctor_power.c: prints the section energy; needs ops->power. */
void doctor_power(struct examine *x);

#endif
