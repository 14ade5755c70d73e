/* Opens the source that the options name, in this process or in the counter
 * server. */
#ifndef SERVER_OPEN_H
#define SERVER_OPEN_H

#include "options/options.h"

/* False and *e, which lists the known names: there is no such source. */
bool server_knows_source(const struct options *o, struct err *e);

/* NULL and *e on failure. */
struct source *server_open_source(const struct options *o, struct err *e);

/* s may be NULL. False and *e: the machine is not restored, or the server does
 * not answer. */
bool server_close_source(const struct options *o, struct source *s,
			 struct err *e);

#endif
