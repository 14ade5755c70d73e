/* Makes the calls of source.h for a client without rights (remote.h). Refuses
 * unknown requests, opens only the source's files, starts only the guard of
 * tracing (source/kperf/guard.h). */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "base/err.h"

#include <stdbool.h>

struct server;
struct source_info;

struct source_options;

/* Only this machine's counters need root. Except on a Mac, a library that
 * replaces the frameworks is the user's code and gets no root. name may be
 * NULL. */
bool source_needs_root(const struct source_options *o, const char *name);

/* Callbacks that drop the privileges that a source does not need. */
struct source_guard {
	void *self;
	/* Called before a source is opened. powers: it counts on this machine;
	 * otherwise (simulation, recorded tree) it reads the user's files and
	 * must not do so as root. False and *e: refused. */
	bool (*before)(void *self, bool powers, struct err *e);
	/* Called when it is open: no library is loaded any more. */
	void (*opened)(void *self, const struct source_info *info);
};

enum server_turn {
	SERVER_ON,
	SERVER_OVER,     /* the client is gone */
	SERVER_MALFORMED /* protocol violation: end it */
};

/* fd: stream socket, not closed. guard: borrowed. NULL: no memory. */
struct server *server_new(int fd, const struct source_guard *guard);

/* Handles a request, or sends more of a reply, without waiting. */
enum server_turn server_turn(struct server *s);

/* Is a reply unfinished, so that the socket must become writable? */
bool server_is_sending(const struct server *s);

/* Releases the counters while the client is stopped; server_resume programs
 * them again. */
void server_pause(struct server *s);
void server_resume(struct server *s);

/* Restores the machine. s may be NULL. */
bool server_free(struct server *s, struct err *e);

#endif
