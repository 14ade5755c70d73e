/* The report of ktop doctor, without names of users or hosts. */
#ifndef COMMANDS_DOCTOR_H
#define COMMANDS_DOCTOR_H

#include "options/options.h"
#include "source/examine.h"

#include <signal.h>
#include <stdio.h>

struct doctor {
	struct examine x; /* must be first, for casts from struct examine */
	const struct options *o;
	const struct examine_question *ask;
	sigset_t stop; /* signals that end the report early */
	struct sample *from, *to;
};

/* Prints the report on x.s, or x.why if x.s is NULL. The caller sets out, o, s,
 * why and live of x, and o, ask and stop. Returns 0, 128 + a signal, or an
 * error's exit code. */
int doctor_report(struct doctor *d);

/* Prints the section "energy"; x->s->ops->power must not be NULL. */
void doctor_power(struct examine *x);

#endif
