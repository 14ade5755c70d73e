/* Starts a command as the user, and waits for its end. */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { CHILD_CANNOT = 126, CHILD_NOT_FOUND = 127 }; /* exit codes of env(1) */

struct child_use {
	double user_s, system_s;
};

struct child {
	pid_t pid;
	bool ended;
	int code;     /* exit status, or 128 + signal */
	int go, hear; /* ends of pipes, open until child_exec or child_discard
		       */
	/* CPU time of ktop's fork before exec, under the same pid. */
	struct child_use before;
};

/* Forks a process that becomes the user who called sudo and waits, so that
 * counters can be attached to it before child_exec. The command gets the signal
 * mask `mask` and the soft limit `files` on open files (0: unchanged). The
 * process ends with ktop, or by child_discard. False and *e: no process. After
 * a failed child_exec c->code is 126, or 127 if the command is unknown. */
bool child_prepare(struct child *c, char *const argv[], const sigset_t *mask,
		   uint64_t files, struct err *e);
bool child_exec(struct child *c, const char *name, struct err *e);
void child_discard(struct child *c);

/* Does not wait. True: the child has ended and is reaped. */
bool child_ended(struct child *c);

/* Does not reap the child: its zombie can still be queried. */
bool child_is_done(const struct child *c);

/* *use: resources used by the child and by its reaped children. */
struct rusage;
void child_reap(struct child *c, struct rusage *use);

#endif
