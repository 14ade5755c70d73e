/* A command that ktop runs: started as the user, told apart from ktop. */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_CANNOT = 126, CHILD_NOT_FOUND = 127 }; /* as env(1) */

/* CPU time, of what the system counts to a process. */
struct child_use {
	double user_s, system_s;
};

struct child {
	pid_t pid; /* 0: none */
	bool ended;
	int code;     /* its exit status, or 128 + its signal */
	int go, hear; /* of one that is held */
	/* What ktop's copy used up to its exec, in the account of its pid. */
	struct child_use before;
};

/*
 * Starts argv as the user who called sudo, never as root unless the user is,
 * with the mask and the signals that ktop was started with, in two steps: the
 * new process is the user already, and waits before it becomes the command, so
 * that counters can be set to it. child_exec lets it go on; ktop's death, or
 * child_discard, ends it there. files: its limit on open files, where ktop has
 * raised its own; 0: that. False and *e when it could not be: c->code is then
 * 126, or 127 when there is no such command.
 */
bool child_prepare(struct child *c, char *const argv[], const sigset_t *mask,
		   uint64_t files, struct err *e);
bool child_exec(struct child *c, const char *name, struct err *e);
void child_discard(struct child *c);

/* Notes its end; true when it has ended. Does not wait. */
bool child_ended(struct child *c);

/* Has it ended? It stays a zombie, which can still be asked. */
bool child_is_done(const struct child *c);

/* Takes the zombie: its end is noted, *use is what it and its children used. */
struct rusage;
void child_reap(struct child *c, struct rusage *use);

#endif
