/* Counts and finds the set bits of masks. */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdint.h>

static inline unsigned
bits_count(uint32_t mask)
{
	unsigned n = 0;

	for (; mask != 0; mask &= mask - 1)
		n++;
	return n;
}

/* Returns the position of the lowest set bit; mask must not be 0. */
static inline unsigned
bits_lowest(uint32_t mask)
{
	return bits_count((mask & (~mask + 1)) - 1);
}

static inline unsigned
bits_below(uint32_t mask, unsigned bit)
{
	return bits_count(mask & ((1u << bit) - 1));
}

#endif
