/* Opening files that a person named while ktop runs as root under sudo. */
#ifndef OUT_OPEN_AS_H
#define OUT_OPEN_AS_H

/*
 * open(2) with mode 0666 as the user who called sudo (SUDO_UID, SUDO_GID),
 * where ktop is root through it: root then writes nothing that its caller
 * could not, and the file is the caller's. -1 with errno.
 */
int open_as_caller(const char *path, int flags);

#endif
