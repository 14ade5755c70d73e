/* A source in another process: what it says comes from a counter server. */
#ifndef SERVER_REMOTE_H
#define SERVER_REMOTE_H

#include "source/source.h"

/* Wall clocks began in 1970; this is in March 2189. */
#define REMOTE_WALL_MOST_NS (((int64_t)1 << 62) / 2 * 3)

/*
 * Opens a source of the server behind o->server (a connected stream socket,
 * borrowed): the named one, or for NULL the one source_open would take. One
 * at a time. NULL and *e as from the source itself, or if the server is gone.
 */
struct source *remote_open(const struct source_options *o, const char *name,
			   struct err *e);

/*
 * Before its close: has the server put the machine back? False and *e when it
 * does not answer in time, and will do so later. Nothing may be called after
 * it but close.
 */
bool remote_release(struct source *s, struct err *e);

/* The probe of a source there. */
bool remote_probe(const struct source_options *o, const char *name,
		  struct err *e);

#endif
