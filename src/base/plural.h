/* Chooses the singular or the plural of a noun. */
#ifndef BASE_PLURAL_H
#define BASE_PLURAL_H

#include <stdint.h>

static inline const char *
plural(uint64_t n, const char *one, const char *many)
{
	return n == 1 ? one : many;
}

#endif
