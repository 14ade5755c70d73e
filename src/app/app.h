/* The program that measures, records and replays. */
#ifndef APP_APP_H
#define APP_APP_H

#include "options/options.h"

/* Measures until stopped, or while a command runs. Returns the exit code. */
int app_run(const struct options *o);

/* False and *e with position: an event of the config file is neither in c
 * (NULL: no catalog) nor in ktop's tables of any chip. */
bool user_names_known(const struct user *u, const struct catalog *c,
		      struct err *e);

/* True: text names the first event of the config file that c lacks. */
bool user_names_missing(const struct user *u, const struct catalog *c,
			char *text, size_t size);

/* True: text names the events of the user's preset i that have no counter. */
bool user_left_out(const struct user *u, int i, const struct eventset *set,
		   const struct catalog *c, char *text, size_t size);

#endif
