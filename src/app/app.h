/* ktop itself: a source, a monitor, outputs and a screen, wired together. */
#ifndef APP_APP_H
#define APP_APP_H

#include "options/options.h"

/* Measures until told to stop, or while a command runs; the exit code. */
int app_run(const struct options *o);

/* ---- events that the config file names ---- */

/*
 * Is each an event of this machine (c or NULL) or of any chip that has a table?
 * False and *e with file, line and column.
 */
bool user_names_known(const struct user *u, const struct catalog *c,
		      struct err *e);

/* Those that c has not: a sentence into text; false: it has all. */
bool user_names_missing(const struct user *u, const struct catalog *c,
			char *text, size_t size);

/* What of own preset i found no counter in its set: a sentence, or false. */
bool user_left_out(const struct user *u, int i, const struct eventset *set,
		   const struct catalog *c, char *text, size_t size);

#endif
