/* The source that the options name, here or in the counter server. */
#ifndef SERVER_OPEN_H
#define SERVER_OPEN_H

#include "options/options.h"

/* Has this build the source of --source? Else *e, with those that it has. */
bool server_knows_source(const struct options *o, struct err *e);

/*
 * --source, --sim, paths, or the first source that works. NULL and *e on
 * failure.
 */
struct source *server_open_source(const struct options *o, struct err *e);

/*
 * Closes it; NULL is fine. False and *e: a counter server does not answer, and
 * puts the counters back later.
 */
bool server_close_source(const struct options *o, struct source *s,
			 struct err *e);

#endif
