/* Opening files that a person named while ktop runs as root under sudo. */
#ifndef PROCESS_OPEN_AS_H
#define PROCESS_OPEN_AS_H

#include <stdbool.h>
#include <sys/types.h>

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

#endif
