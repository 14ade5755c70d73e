/* The path of this program's executable. */
#ifndef BASE_SELF_H
#define BASE_SELF_H

#include <stdbool.h>
#include <stddef.h>

/* Absolute, links resolved; false: unknown or too long. {linux,mac}/self.c. */
bool self_path(char *out, size_t size);

#endif
