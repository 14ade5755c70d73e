/* For what needs no rights: reading recordings that anybody may have made. */
#ifndef PROCESS_CALLER_H
#define PROCESS_CALLER_H

#include "base/err.h"

#include <stdbool.h>

/*
 * Becomes the user who called sudo (SUDO_UID, SUDO_GID), or the real user of a
 * program with borrowed rights, for good. Nothing to do for others, and for
 * root who is nobody else. False and *e: then nothing may be opened.
 */
bool drop_root(struct err *e);

#endif
