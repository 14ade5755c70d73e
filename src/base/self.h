/* The path of this program's executable */
#ifndef BASE_SELF_H
#define BASE_SELF_H

#include <stdbool.h>
#include <stddef.h>

/* The path is absolute and has no symbolic links. False: unknown or too
 * long. */
bool self_path(char *out, size_t size);

#endif
