/* Finding, opening and closing the sources of this build. */
#ifndef SOURCE_ALL_SOURCES_H
#define SOURCE_ALL_SOURCES_H

#include "source/source.h"

/* In order of preference; the last one is NULL. */
extern const struct source_ops *const source_table[];

const struct source_ops *source_find(const char *name);

/* The source that the options name (replay, sim, or kperf if its libraries are
 * given), else the first one whose probe succeeds. NULL and *e: none, with the
 * error of the last probe. */
const struct source_ops *source_choose(const struct source_options *o,
				       struct err *e);

struct source *source_open(const struct source_options *o, struct err *e);

/* Releases the counters and closes s, which may be NULL. False and *e: the
 * kernel refused repeatedly, and the machine keeps ktop's settings. */
bool source_end(struct source *s, struct err *e);

#endif
