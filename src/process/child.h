/* Starts a command as the user, and waits for its end. */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_CANNOT = 126, CHILD_NOT_FOUND = 127 }; /* as env(1) */

/* CPU time as the system accounts it. */
struct child_use {
	double user_s, system_s;
};

struct child {
	pid_t pid;
	bool ended;
	int code;     /* exit status, or 128 + signal */
	int go, hear; /* pipes, while it waits */
	/* Used by ktop's fork before exec, under the same pid. */
	struct child_use before;
};

/* Forks a process that becomes the user who called sudo (root only if the user
 * is), restores signal mask and handlers, and waits, so that counters can be
 * attached before child_exec. ktop's death or child_discard ends it. files:
 * soft limit on open files; 0: unchanged. False and *e: c->code is 126, or 127
 * for an unknown command. */
bool child_prepare(struct child *c, char *const argv[], const sigset_t *mask,
		   uint64_t files, struct err *e);
bool child_exec(struct child *c, const char *name, struct err *e);
void child_discard(struct child *c);

/* True when it has ended and been reaped. Does not wait. */
bool child_ended(struct child *c);

/* True when it has ended; it stays a zombie that can still be queried. */
bool child_is_done(const struct child *c);

/* Reaps the zombie; *use: used by it and its children. */
struct rusage;
void child_reap(struct child *c, struct rusage *use);

#endif
