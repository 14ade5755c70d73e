/* The sources of this build: list, opening and closing. */
#ifndef SOURCE_ALL_SOURCES_H
#define SOURCE_ALL_SOURCES_H

#include "source/source.h"

/* The sources of this build in order of preference, NULL ends. */
extern const struct source_ops *const source_table[];

const struct source_ops *source_find(const char *name);

/* The source that the options name (sim, or kperf if paths are given), or the
 * first of the table whose probe succeeds. *e: error of the last one tried. */
const struct source_ops *source_choose(const struct source_options *o,
				       struct err *e);

/* Opens the chosen source. */
struct source *source_open(const struct source_options *o, struct err *e);

/* Releases the counters and closes. False, and *e: the kernel refused, even
 * when tried again; the machine keeps ktop's settings. s may be NULL. */
bool source_end(struct source *s, struct err *e);

#endif
