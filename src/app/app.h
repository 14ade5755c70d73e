/* The live program. */
#ifndef APP_APP_H
#define APP_APP_H

#include "options/options.h"

/* Measures until stopped, or while a command runs. Returns the exit code. */
int app_run(const struct options *o);

/* Does this machine (c), or any known chip (c NULL), have each event of the
 * config file? False and *e with position. */
bool user_names_known(const struct user *u, const struct catalog *c,
		      struct err *e);

/* Lists the events that c lacks in text; false: none. */
bool user_names_missing(const struct user *u, const struct catalog *c,
			char *text, size_t size);

/* Lists the events of own preset i that have no counter; false: none. */
bool user_left_out(const struct user *u, int i, const struct eventset *set,
		   const struct catalog *c, char *text, size_t size);

#endif
