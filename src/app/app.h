/* The live program. */
#ifndef APP_APP_H
#define APP_APP_H

#include "options/options.h"

/* Measures until stopped, or while a command runs. Returns the exit code. */
int app_run(const struct options *o);

/* Is each event of the config file one of this machine (c or NULL) or of any
 * known chip? False and *e with position. */
bool user_names_known(const struct user *u, const struct catalog *c,
		      struct err *e);

/* Lists those that c lacks in text; false: none. */
bool user_names_missing(const struct user *u, const struct catalog *c,
			char *text, size_t size);

/* Lists events of own preset i without a counter; false: none. */
bool user_left_out(const struct user *u, int i, const struct eventset *set,
		   const struct catalog *c, char *text, size_t size);

#endif
