/* Can a library be loaded into a program? Known before it is started. */
#ifndef STAT_PROGRAM_H
#define STAT_PROGRAM_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * The file that execvp would run; false: there is none, which is for execvp to
 * say.
 */
bool program_find(const char *word, char *path, size_t size);

/*
 * False and *e: the system loads nothing into it, and why. What cannot be read,
 * or is of no known kind, may be tried.
 */
bool program_takes_library(const char *path, struct err *e);

/* linux/preload.c, mac/preload.c: is it of those that the system protects? */
bool program_is_protected(const char *path);

#endif
