/* The command of `ktop run`: started as the user, told apart from ktop. */
#ifndef PROCESS_CHILD_H
#define PROCESS_CHILD_H

#include "base/err.h"

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum { CHILD_CANNOT = 126, CHILD_NOT_FOUND = 127 }; /* as env(1) */

struct child {
	pid_t pid; /* 0: none */
	bool ended;
	int code; /* its exit status, or 128 + its signal */
};

/*
 * Starts argv as the user who called sudo, never as root unless the user is,
 * with the mask and the signals that ktop was started with. False and *e when
 * it could not be: c->code is then 126, or 127 when there is no such command.
 */
bool child_start(struct child *c, char *const argv[], const sigset_t *mask,
		 struct err *e);

/* Notes its end; true when it has ended. Does not wait. */
bool child_ended(struct child *c);

#endif
