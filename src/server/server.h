/*
 * The counter server: makes the calls of source.h for a screen side that has
 * no rights of its own. What it does not know it refuses; it opens no file
 * but those of the source, and starts nothing but what guards tracing (source/
 * kperf/guard.h). Its other side is remote.h.
 */
#ifndef SERVER_SERVER_H
#define SERVER_SERVER_H

#include "base/err.h"

#include <stdbool.h>

struct server;
struct source_info;

struct source_options;

/*
 * Only the machine itself needs more rights than the person has. Off a Mac a
 * library that stands in for the frameworks counts on nothing, and is code of
 * the person's choice. name: of the source, or NULL.
 */
bool source_needs_root(const struct source_options *o, const char *name);

/* How its process gives up what a source does not need. */
struct source_guard {
	void *self;
	/*
	 * Before a source is looked for. `powers`: it counts on the machine
	 * itself; else (a simulation, a recorded tree) it reads what the
	 * person named, and must not do that as root. False and *e: refused.
	 */
	bool (*before)(void *self, bool powers, struct err *e);
	/* One is open: no more libraries are loaded from here on. */
	void (*opened)(void *self, const struct source_info *info);
};

enum server_turn {
	SERVER_ON,       /* goes on */
	SERVER_OVER,     /* the other side is gone */
	SERVER_MALFORMED /* it does not keep to the protocol: leave it */
};

/*
 * Serves on a stream socket, which it does not close. The guard is borrowed.
 * NULL when memory is short.
 */
struct server *server_new(int fd, const struct source_guard *guard);

/*
 * Takes what has arrived, without waiting for more, and answers; or, while an
 * answer is not taken by the other side, sends what there is room for.
 */
enum server_turn server_turn(struct server *s);

/* Is it the room for an answer that the next turn waits for? */
bool server_is_sending(const struct server *s);

/*
 * The screen side is stopped: what is counted is given back meanwhile, and
 * taken again.
 */
void server_pause(struct server *s);
void server_resume(struct server *s);

/* Closes the source: the machine as it was found. NULL is fine. */
bool server_free(struct server *s, struct err *e);

#endif
