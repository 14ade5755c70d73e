/* The user who had ktop run as root, and how to become that user. */
#ifndef PROCESS_CALLER_H
#define PROCESS_CALLER_H

#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Are SUDO_UID and SUDO_GID both ids? Whoever may have set them. */
bool caller_named(uid_t *uid, gid_t *gid);

/* The user who called sudo, while ktop is root through it; else false. */
bool caller_of_sudo(uid_t *uid, gid_t *gid);

/*
 * From root, for good, with all groups of the user, as a login has them. Root's
 * own go first: a user that the lists do not know, or who is in more groups
 * than fit, is left with gid alone. False and errno: nothing may go on.
 */
bool caller_become(uid_t uid, gid_t gid);

/* Is this process that user, and can never be root again? */
bool caller_stays(uid_t uid, gid_t gid);

/*
 * For what needs no rights, such as recordings that anybody may have made:
 * becomes the user who called sudo, or the real user of a program with borrowed
 * rights, for good. Nothing to do for others, and for root who is nobody else.
 * False and *e: then nothing may be opened.
 */
bool drop_root(struct err *e);

/*
 * For code that anybody may have made: that, and no capability is left in any
 * set, of root's neither.
 */
bool drop_rights(struct err *e);

/*
 * All groups of the user, and gid; as root. False: they are as they were.
 * linux/caller.c or mac/caller.c.
 */
bool caller_os_groups(const char *user, gid_t gid);

#endif
