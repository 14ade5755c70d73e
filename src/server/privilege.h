/* Under sudo ktop is two processes: the counter server keeps only the right to
 * count; the other becomes the caller for good and does the rest. See
 * docs/SECURITY.md. */
#ifndef SERVER_PRIVILEGE_H
#define SERVER_PRIVILEGE_H

#include "options/options.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

/* there: ktop is root, and SUDO_UID and SUDO_GID name another user. */
struct privilege_caller {
	bool there;
	uid_t uid;
	gid_t gid;
};

struct privilege {
	struct privilege_caller caller;
	bool asked; /* KTOP_SEPARATE=always */
	bool whole; /* argv seems to name a command that keeps root */
	int server; /* socket; 0: one process */
};

/* Call before anything else. With a caller or KTOP_SEPARATE=always this
 * function forks, unless the command keeps root. It returns in the child; the
 * parent serves until it exits with the child's status. False and *e: exit at
 * once. */
bool privilege_begin(struct privilege *p, int argc, char **argv, struct err *e);

/* Call when the options are parsed: forks if argv seemed to name a command that
 * keeps root, but does not. */
bool privilege_apply_options(struct privilege *p, struct options *o,
			     struct err *e);

/* Becomes the caller for good, and verifies that root cannot be regained. */
bool privilege_drop(const struct privilege_caller *who, struct err *e);

/* fd -1: no terminal. */
struct privilege_terminal {
	int fd;
	struct termios found;
};

/* Call before the fork, while the terminal's settings are unchanged. */
void privilege_find_terminal(struct privilege_terminal *t);

_Noreturn void privilege_serve(int fd, pid_t screen,
			       const struct privilege_caller *who,
			       const struct privilege_terminal *terminal);

/* In linux/privilege.c and mac/privilege.c: */

/* Becomes the caller, with only the capabilities for counting; on macOS the
 * process stays root. in_effect: the capabilities stay in effect; otherwise the
 * source raises them for each open, until rights_drop_all. */
bool privilege_keep_counting_only(const struct privilege_caller *who,
				  bool in_effect, struct err *e);

/* Call with an open source: allows only the system calls that the source needs.
 * False: the kernel or the processor has no filter. */
bool privilege_filter_calls(void);

#endif
