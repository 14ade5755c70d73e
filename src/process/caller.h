/* The user who had ktop run as root: how to become that user, and that user's
 * files. */
#ifndef PROCESS_CALLER_H
#define PROCESS_CALLER_H

#include "base/buf.h"
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
bool caller_is_permanent(uid_t uid, gid_t gid);

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

/* ---- files, as that user, while ktop stays root ---- */

/*
 * open(2) with mode 0666 as the user who called sudo (SUDO_UID, SUDO_GID),
 * where ktop is root through it: root then writes nothing that its caller
 * could not, and the file is the caller's. -1 with errno.
 */
int open_as_caller(const char *path, int flags);

/* The same with mode 0600. */
int open_private_as_caller(const char *path, int flags);

/* rename(2) and unlink(2) likewise. */
int rename_as_caller(const char *from, const char *to);
int unlink_as_caller(const char *path);

/* link(2) likewise: a file appears whole, and only where there is none. */
int link_as_caller(const char *from, const char *to);

/* The folders that the path of a file goes through, where they are missing. */
void make_folders_as_caller(const char *path, unsigned mode);

/* ---- where a user's own files are: config, themes, marks ---- */

/*
 * The home folder of the person. sudo keeps or resets HOME by its policy, so
 * that the passwd file tells there, also after root's rights were given up;
 * elsewhere HOME does, and the passwd file where there is none. NULL: no home.
 */
const char *home_of_user(void);

/*
 * Appends the folder ktop below $variable; below `usual` in the home, such as
 * "/.config". False, and nothing, where that is no absolute path.
 */
bool home_by_variable(const char *variable, struct buf *b);
bool home_by_user(const char *usual, struct buf *b);

#endif
