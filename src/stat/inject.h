/*
 * ktop's half of --inject: the file that the library in a command writes, and
 * the command's environment that has both.
 */
#ifndef STAT_INJECT_H
#define STAT_INJECT_H

#include "base/err.h"
#include "inject/record.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

/* What of one run, or of several, the library saw. */
struct inject_seen {
	uint64_t loaded, forked, begun, ended, refused;
	int error; /* of the last refused one; 0: none, or nothing was counted
		    */
	uint64_t sum[INJECT_COLUMNS]; /* of threads that ended, by column */
};

/* Each from its beginning to its end. */
static inline bool
inject_whole(const struct inject_seen *s)
{
	return s->begun > 0 && s->ended == s->begun && s->refused == 0;
}

struct inject;

/* Is there such a thing here, and for this user? Else false and *e. */
bool inject_allowed(const struct source_options *o, struct err *e);

/* The options are borrowed. NULL and *e: a library is not there. */
struct inject *inject_open(const struct source_options *o, struct err *e);
/* The same with the files: of ours, and of the one with kperf's functions. */
struct inject *inject_open_with(const char *library, const char *kperf,
				const char *sim, struct err *e);
void inject_close(struct inject *i);

/*
 * What ktop starts from here on has the library, until inject_end_run: rows of
 * so many columns. Each run has a file of its own.
 */
bool inject_begin_run(struct inject *i, unsigned columns, struct err *e);
/* False and *e: the file is not as the library leaves it. */
bool inject_end_run(struct inject *i, struct inject_seen *out, struct err *e);

/* linux/preload.c, mac/preload.c: the variable, and files next to ktop. */
extern const char *const inject_preload;
extern const char *const inject_library, *const inject_simulation;

#endif
