/* One ktop at a time writes a file. */
#ifndef OUT_LOCK_H
#define OUT_LOCK_H

#include "base/err.h"

#include <stdbool.h>

/*
 * Until the descriptor is closed, by flock(2): closing another descriptor of
 * the file would drop a POSIX lock. One of those tells the holder's pid. Of a
 * file system without locks nothing is locked. False and *e: another process
 * has it.
 */
bool lock_take(const char *name, int fd, struct err *e);

/* The pid is told again, after another descriptor of the file was closed. */
void lock_sign(int fd);

/* Could it be taken now? True also of what cannot be opened. */
bool lock_is_free(const char *name, struct err *e);

#endif
