/* Bits of a mask: how many, and which is the first. */
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

/* The number of the lowest bit; there must be one. */
static inline unsigned
bits_lowest(uint32_t mask)
{
	return bits_count((mask & (~mask + 1)) - 1);
}

/* How many stand below that bit: its place among them, if it is one. */
static inline unsigned
bits_below(uint32_t mask, unsigned bit)
{
	return bits_count(mask & ((1u << bit) - 1));
}

#endif
