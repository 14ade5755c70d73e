/* Words as bytes, the lowest first, on every machine. */
#ifndef MONITOR_LITTLE_H
#define MONITOR_LITTLE_H

#include <stdint.h>
#include <string.h>

static inline void
little_put(uint8_t *to, uint64_t v)
{
	if (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__)
		v = __builtin_bswap64(v);
	memcpy(to, &v, sizeof v);
}

static inline uint64_t
little_get(const uint8_t *from)
{
	uint64_t v;

	memcpy(&v, from, sizeof v);
	return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? __builtin_bswap64(v)
						      : v;
}

#endif
