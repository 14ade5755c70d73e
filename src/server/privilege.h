/*
 * Who may do what. Started by sudo, ktop is two processes: the first keeps
 * the right to count, and nothing else, as the counter server; the second has
 * become the caller for good and is everything else. docs/SECURITY.md says it
 * in full.
 */
#ifndef SERVER_PRIVILEGE_H
#define SERVER_PRIVILEGE_H

#include "options/options.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>
#include <termios.h>

/* The user to become; there: false, nobody (not root, or not through sudo). */
struct privilege_caller {
	bool there;
	uid_t uid;
	gid_t gid;
};

struct privilege {
	struct privilege_caller caller;
	bool asked; /* KTOP_SEPARATE=always: two processes in any case */
	bool whole; /* a word of argv may be a command that keeps root */
	int server; /* socket of the counter server; 0: not separated */
};

/*
 * Before anything else: splits the process if there is a caller to become.
 * It returns in the process that goes on; the other serves, and exits with
 * its status. False and *e: nothing was done yet, or no way back was left
 * open; either way nothing may go on.
 */
bool privilege_begin(struct privilege *p, int argc, char **argv, struct err *e);

/* With the options known: what was put off for a command that was not. */
bool privilege_apply_options(struct privilege *p, struct options *o,
			     struct err *e);

/* Becomes the caller for good, and makes sure of it. */
bool privilege_drop(const struct privilege_caller *who, struct err *e);

/* The terminal among the standard descriptors; fd -1: there is none. */
struct privilege_terminal {
	int fd;
	struct termios found;
};

/* Before the split: a moment later the screen side may have changed it. */
void privilege_find_terminal(struct privilege_terminal *t);

/* The first process from here on; never returns. */
_Noreturn void privilege_serve(int fd, pid_t screen,
			       const struct privilege_caller *who,
			       const struct privilege_terminal *terminal);

/* ---- linux/privilege.c, mac/privilege.c ---- */

/*
 * Keeps what counting needs and nothing else; in_effect: at once and for good,
 * else only when the source asks for it, around its opens, and until
 * rights_settle with the right to give it up from all sets (rights_strip).
 */
bool privilege_keep_counting_only(const struct privilege_caller *who,
				  bool in_effect, struct err *e);

/*
 * With a source open: no more calls than it makes. False where the system has
 * a way to see to it, and it could not be had.
 */
bool privilege_filter_calls(void);

#endif
