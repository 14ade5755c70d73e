/* Questions of ktop doctor to a source; answers are lines "key: text"
 * (base/report.h). */
#ifndef SOURCE_EXAMINE_H
#define SOURCE_EXAMINE_H

#include "source/source.h"

#include <stdio.h>

struct examine {
	FILE *out;
	const struct source_options *o;
	struct source *s; /* NULL: cannot be opened; the reason: */
	struct err why;
	bool live; /* false: another machine's files (--root) */
	/* A signal is pending: stop. */
	bool (*leave_off)(const struct examine *x);
	/* Prints lines on privileges, events, presets and rows, by program()
	 * and read(). Leaves a set counting. */
	void (*count)(struct examine *x);
};

struct examine_question {
	const char *name; /* heading; NULL ends the table */
	void (*answer)(struct examine *x);
};

#endif
