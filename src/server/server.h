/* Makes the calls of source.h for an unprivileged client (remote.h) and refuses
 * unknown requests. */
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

struct source_guard {
	void *self;
	/* Called before a source is opened. powers: it counts on this machine;
	 * otherwise (simulation, recorded tree) it reads the user's files and
	 * must not do so as root. False and *e: refused. */
	bool (*before)(void *self, bool powers, struct err *e);
	/* Called after a source is opened, when no library is loaded any
	 * more. */
	void (*opened)(void *self, const struct source_info *info);
};

enum server_turn { SERVER_ON, SERVER_OVER, SERVER_MALFORMED };

/* fd: stream socket, not closed. guard: borrowed. NULL: no memory. */
struct server *server_new(int fd, const struct source_guard *guard);

/* Receives a part of a request and handles a complete one, or sends more of a
 * reply, without waiting for the client. */
enum server_turn server_turn(struct server *s);

bool server_is_sending(const struct server *s);

/* Releases the counters while the client is stopped; server_resume programs
 * them again. */
void server_pause(struct server *s);
void server_resume(struct server *s);

/* Restores the machine. s may be NULL. */
bool server_free(struct server *s, struct err *e);

#endif
