/* The sections of ktop doctor that a source prints, as lines "key: text"
 * (base/report.h). */
#ifndef SOURCE_EXAMINE_H
#define SOURCE_EXAMINE_H

#include "source/source.h"

#include <stdio.h>

struct examine {
	FILE *out;
	const struct source_options *o;
	struct source *s; /* NULL: cannot be opened, see `why` */
	struct err why;
	bool live; /* false: files of another machine (--root) */
	/* True if a signal is pending: stop. */
	bool (*leave_off)(const struct examine *x);
	/* Prints lines about privileges, events, presets and rows, for which it
	 * calls program() and read(). A set stays programmed. */
	void (*count)(struct examine *x);
};

struct examine_question {
	const char *name; /* heading; NULL ends the table */
	void (*answer)(struct examine *x);
};

#endif
