/*
 * What ktop doctor asks of a source: a table of questions. An answer is a few
 * lines "key: text" (base/report.h).
 */
#ifndef SOURCE_EXAMINE_H
#define SOURCE_EXAMINE_H

#include "source/source.h"

#include <stdio.h>

struct examine {
	FILE *out;
	const struct source_options *o;
	struct source *s; /* NULL: it could not be opened, for this reason: */
	struct err why;
	bool live; /* false: only files of another machine are read (--root) */
	/* A signal waits: come to an end. */
	bool (*leave_off)(const struct examine *x);
	/*
	 * Lines on the rights, events, presets and rows, by program() and
	 * read(). An answer calls it where it belongs between lines of its own;
	 * a set that counts is left in force.
	 */
	void (*count)(struct examine *x);
};

struct examine_question {
	const char *name; /* the heading above the lines; NULL ends the table */
	void (*answer)(struct examine *x);
};

#endif
