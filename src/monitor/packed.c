#include "monitor/packed.h"

#include <string.h>

#include "monitor/little.h"

/* A bit of the mask, how many bytes there are, and those. */
static inline uint8_t *
put_difference(uint8_t *to, uint64_t x, uint32_t bit, uint32_t *differ)
{
	unsigned zeros;

	if (x == 0)
		return to;
	zeros = (unsigned)__builtin_clzll(x) / 8;
	*differ |= bit;
	*to = (uint8_t)(8 - zeros);
	little_put(to + 1, x);
	return to + 9 - zeros;
}

uint8_t *
packed_put(uint8_t *to, const uint64_t *word, const uint64_t *like, unsigned n)
{
	const uint64_t *end = word + n;
	uint8_t *mask = to;
	uint32_t differ = 0;

	to += sizeof differ;
	for (uint32_t bit = 1; word < end; word += 4, like += 4, bit <<= 4) {
		uint64_t a = word[0] ^ like[0], b = word[1] ^ like[1],
			 c = word[2] ^ like[2], d = word[3] ^ like[3];

		if ((a | b | c | d) == 0)
			continue;
		to = put_difference(to, a, bit, &differ);
		to = put_difference(to, b, bit << 1, &differ);
		to = put_difference(to, c, bit << 2, &differ);
		to = put_difference(to, d, bit << 3, &differ);
	}
	memcpy(mask, &differ, sizeof differ);
	return to;
}

static uint64_t
get_part(const uint8_t *from, unsigned len)
{
	uint64_t x = little_get(from);

	return len < 8 ? x & (((uint64_t)1 << 8 * len) - 1) : x;
}

const uint8_t *
packed_get(const uint8_t *from, uint64_t *word, const uint64_t *like,
	   unsigned n)
{
	uint32_t differ;

	memcpy(&differ, from, sizeof differ);
	from += sizeof differ;
	for (unsigned i = 0; i < n; i++) {
		word[i] = like[i];
		if ((differ >> i & 1) == 0)
			continue;
		word[i] ^= get_part(from + 1, *from);
		from += 1 + *from;
	}
	return from;
}
