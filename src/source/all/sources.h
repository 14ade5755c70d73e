/* The sources of this build: which there are, opening and ending one. */
#ifndef SOURCE_ALL_SOURCES_H
#define SOURCE_ALL_SOURCES_H

#include "source/source.h"

/* The sources of this build in order of preference, NULL ends. */
extern const struct source_ops *const source_table[];

const struct source_ops *source_find(const char *name);

/*
 * The source the options name (sim, or kperf where paths are given), or the
 * first of the table whose probe succeeds. *e is that of the last tried.
 */
const struct source_ops *source_choose(const struct source_options *o,
				       struct err *e);

/* Opens that one. */
struct source *source_open(const struct source_options *o, struct err *e);

/*
 * Gives the counters back and closes. False, and *e: the kernel refused that,
 * also a moment later; the machine stays as ktop had set it. NULL is fine.
 */
bool source_end(struct source *s, struct err *e);

#endif
