/* The user who runs ktop through sudo, and the user's files. */
#ifndef PROCESS_CALLER_H
#define PROCESS_CALLER_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <sys/types.h>

/* Are SUDO_UID and SUDO_GID valid ids? Anybody may have set them. */
bool caller_named(uid_t *uid, gid_t *gid);

/* Only if root and started by sudo. */
bool caller_of_sudo(uid_t *uid, gid_t *gid);

/* From root for good, with all the user's groups. If the group database does
 * not know the user or has too many groups: gid only. False and errno: stop. */
bool caller_become(uid_t uid, gid_t gid);

/* Is this process that user, with no way back to root? */
bool caller_is_permanent(uid_t uid, gid_t gid);

/* Becomes the user who called sudo, or a set-uid program's real user, for good.
 * Call before opening files of unknown origin. False and *e: open nothing. */
bool drop_root(struct err *e);

/* drop_root, and empties all capability sets, root's too. */
bool drop_rights(struct err *e);

/* Sets the user's groups, and gid. False: unchanged. {linux,mac}/caller.c.
 */
bool caller_os_groups(const char *user, gid_t gid);

/* open(2), mode 0666, as the user who called sudo: root writes no file that the
 * user could not, and the user owns it. -1 and errno. */
int open_as_caller(const char *path, int flags);

/* Mode 0600. */
int open_private_as_caller(const char *path, int flags);

int rename_as_caller(const char *from, const char *to);
int unlink_as_caller(const char *path);

/* link(2): the file appears complete, and only if there was none. */
int link_as_caller(const char *from, const char *to);

/* Creates the missing parent folders of path. */
void make_folders_as_caller(const char *path, unsigned mode);

/* The user's home folder: under sudo from the passwd file, as sudo may keep or
 * reset HOME; otherwise $HOME, then passwd. NULL: none. */
const char *home_of_user(void);

/* Appends $variable/ktop, or HOME`usual`/ktop ("/.config"). False, nothing
 * appended: not an absolute path. */
bool home_by_variable(const char *variable, struct buf *b);
bool home_by_user(const char *usual, struct buf *b);

#endif
