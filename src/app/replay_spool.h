/* A recording from a pipe, for a screen that goes to and fro in it. */
#ifndef APP_REPLAY_SPOOL_H
#define APP_REPLAY_SPOOL_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Copies standard input to a file without a name, whose path (/dev/fd/N) it
 * writes to path, and puts the terminal in the place of standard input, for
 * the keys. False and *e on failure. The descriptor is open till the end.
 */
bool replay_spool(char *path, size_t size, struct err *e);

#endif
