/* A source in the counter server. */
#ifndef SERVER_REMOTE_H
#define SERVER_REMOTE_H

#include "source/source.h"

/* March 2189, in ns since 1970 */
#define REMOTE_WALL_MOST_NS (((int64_t)1 << 62) / 2 * 3)

/* o->server: connected stream socket, borrowed. name NULL: the first source
 * that works. NULL and *e: the source's error, or the server has ended. */
struct source *remote_open(const struct source_options *o, const char *name,
			   struct err *e);

/* Restores the machine; only close may follow. False and *e: the server could
 * not restore the machine, or does not answer. */
bool remote_release(struct source *s, struct err *e);

bool remote_probe(const struct source_options *o, const char *name,
		  struct err *e);

#endif
