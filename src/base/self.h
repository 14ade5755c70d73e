/* Where this program's own file lies. */
#ifndef BASE_SELF_H
#define BASE_SELF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The file, links followed, as an absolute path; false where the system does
 * not tell or it is longer. File linux/self.c or mac/self.c.
 */
bool self_path(char *out, size_t size);

#endif
