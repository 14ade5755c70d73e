#include "monitor/columns.h"

#include <string.h>

#include "monitor/little.h"

/*
 * First of each column a word: where it begins | bits of a word << 18 | zeros
 * that all end with << 24. There: its least word, then the bits.
 */
enum { AT_BITS = 18, BITS_SHIFT = AT_BITS, ZEROS_SHIFT = 24 };

_Static_assert((int)COLUMNS_ROOM < 1 << AT_BITS, "a column's place has room");

struct shape {
	uint32_t least;
	unsigned zeros, bits;
};

static struct shape
shape_of(const uint32_t *word, size_t step, unsigned n)
{
	uint32_t least = *word, most = *word, any = 0;
	struct shape s = { .bits = 0 };

	for (unsigned i = 1; i < n; i++) {
		uint32_t w = word[i * step];

		least = w < least ? w : least;
		most = w > most ? w : most;
		any |= w ^ word[0];
	}
	s.least = least;
	if (any == 0)
		return s;
	/* Where all have the same lower bits, differences end with zeros. */
	s.zeros = (unsigned)__builtin_ctz(any);
	s.bits = 32 - (unsigned)__builtin_clz((most - least) >> s.zeros);
	return s;
}

static uint8_t *
put_bits(uint8_t *to, const uint32_t *word, size_t step, unsigned n,
	 const struct shape *s)
{
	uint64_t bits = 0;
	unsigned have = 0;

	for (unsigned i = 0; i < n; i++) {
		bits |= (uint64_t)((word[i * step] - s->least) >> s->zeros)
			<< have;
		for (have += s->bits; have >= 8; have -= 8, bits >>= 8)
			*to++ = (uint8_t)bits;
	}
	if (have > 0)
		*to++ = (uint8_t)bits;
	return to;
}

size_t
columns_pack(const uint32_t *word, size_t step, unsigned columns, unsigned n,
	     uint8_t *to)
{
	uint8_t *end = to + columns * sizeof(uint32_t);

	for (unsigned c = 0; c < columns; c++) {
		struct shape s = shape_of(word + c, step, n);
		uint32_t head = (uint32_t)(end - to) | s.bits << BITS_SHIFT |
				s.zeros << ZEROS_SHIFT;

		memcpy(to + c * sizeof head, &head, sizeof head);
		memcpy(end, &s.least, sizeof s.least);
		end += sizeof s.least;
		if (s.bits > 0)
			end = put_bits(end, word + c, step, n, &s);
	}
	return (size_t)(end - to);
}

void
columns_read(const struct blobs *b, uint32_t blob, unsigned column,
	     unsigned from, unsigned n, uint32_t *out)
{
	uint8_t bytes[COLUMNS_FRAMES * 4 + 8];
	uint32_t head, least;

	blobs_get(b, blob, column * sizeof head, sizeof head, &head);
	unsigned at = head & ((1u << AT_BITS) - 1);
	unsigned bits = head >> BITS_SHIFT & 63, zeros = head >> ZEROS_SHIFT;

	blobs_get(b, blob, at, sizeof least, &least);
	if (bits == 0) {
		for (unsigned i = 0; i < n; i++)
			out[i] = least;
		return;
	}
	unsigned first = from * bits / 8, last = ((from + n) * bits + 7) / 8;

	blobs_get(b, blob, at + sizeof least + first, last - first, bytes);
	for (unsigned i = 0; i < n; i++) {
		unsigned bit = (from + i) * bits - first * 8;
		uint64_t word = little_get(bytes + bit / 8);

		word = word >> bit % 8 & (((uint64_t)1 << bits) - 1);
		out[i] = least + ((uint32_t)word << zeros);
	}
}
