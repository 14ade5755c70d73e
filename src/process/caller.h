/* The user who runs ktop through sudo, and that user's files. */
#ifndef PROCESS_CALLER_H
#define PROCESS_CALLER_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Reads SUDO_UID and SUDO_GID, which any user may have set. False: a variable
 * is missing or invalid. */
bool caller_named(uid_t *uid, gid_t *gid);

/* As caller_named. True only if this process is root and the caller is another
 * user. */
bool caller_of_sudo(uid_t *uid, gid_t *gid);

/* Changes permanently from root to uid with all the user's groups, or with gid
 * only if the user is unknown or initgroups fails. False and errno: exit. */
bool caller_become(uid_t uid, gid_t gid);

/* Tries to become root again. True: the process runs as uid and gid, and the
 * attempts failed. */
bool caller_is_permanent(uid_t uid, gid_t gid);

/* Becomes permanently the user who called sudo, or a set-uid program's real
 * user; any other root stays root. Call it before opening files of unknown
 * origin. False and *e: stop. */
bool drop_root(struct err *e);

/* As drop_root, and empties all capability sets, also those of a root user. */
bool drop_rights(struct err *e);

/* Sets the supplementary groups to those of the user, and gid. False:
 * unchanged. In {linux,mac}/caller.c. */
bool caller_os_groups(const char *user, gid_t gid);

/* open(2), mode 0666, as the user who called sudo: root writes no file that the
 * user could not, and the user owns new files. -1 and errno. */
int open_as_caller(const char *path, int flags);

int open_private_as_caller(const char *path, int flags);

int rename_as_caller(const char *from, const char *to);
int unlink_as_caller(const char *path);

/* link(2): makes a complete file visible; fails if `to` exists. */
int link_as_caller(const char *from, const char *to);

/* Creates the missing parent folders of path, and ignores errors. */
void make_folders_as_caller(const char *path, unsigned mode);

/* The user's home folder: $HOME, else the passwd entry; under sudo the passwd
 * entry first, as sudo may keep or reset HOME. NULL: none. */
const char *home_of_user(void);

/* Append $variable/ktop, or the home folder, usual ("/.config") and "/ktop".
 * False: no absolute path, nothing appended. */
bool home_by_variable(const char *variable, struct buf *b);
bool home_by_user(const char *usual, struct buf *b);

#endif
