/* Numbers as if drawn, the same ones in every run. */
#ifndef TESTS_MONITOR_DRAW_H
#define TESTS_MONITOR_DRAW_H

#include <stdint.h>

/* Below n, of the upper bits: the lower ones soon repeat. */
static inline unsigned
drawn(uint64_t *seed, unsigned n)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((*seed >> 33) % n);
}

#endif
