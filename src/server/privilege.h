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

/* there: false if not root, or not run by sudo. */
struct privilege_caller {
	bool there;
	uid_t uid;
	gid_t gid;
};

struct privilege {
	struct privilege_caller caller;
	bool asked; /* KTOP_SEPARATE=always */
	bool whole; /* argv may name a command that keeps root */
	int server; /* socket; 0: one process */
};

/* Call first. With a caller: forks, returns in the child, serves in the parent
 * until it exits with the child's status. False and *e: exit at once. */
bool privilege_begin(struct privilege *p, int argc, char **argv, struct err *e);

/* Splits now if argv did not name a command that keeps root. */
bool privilege_apply_options(struct privilege *p, struct options *o,
			     struct err *e);

/* Verifies that root cannot be regained. */
bool privilege_drop(const struct privilege_caller *who, struct err *e);

/* fd -1: no terminal. */
struct privilege_terminal {
	int fd;
	struct termios found;
};

/* Call before the split, while the terminal's settings are unchanged. */
void privilege_find_terminal(struct privilege_terminal *t);

_Noreturn void privilege_serve(int fd, pid_t screen,
			       const struct privilege_caller *who,
			       const struct privilege_terminal *terminal);

/* ---- linux/privilege.c, mac/privilege.c ---- */

/* Keeps only the capabilities for counting. in_effect: now and permanently;
 * else the source raises them for each open, until rights_drop_all. */
bool privilege_keep_counting_only(const struct privilege_caller *who,
				  bool in_effect, struct err *e);

/* With an open source: allows only its system calls. False: no filter here. */
bool privilege_filter_calls(void);

#endif
