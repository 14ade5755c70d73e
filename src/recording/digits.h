/* Eight characters in a word, the first one lowest: digits all at once. */
#ifndef RECORDING_DIGITS_H
#define RECORDING_DIGITS_H

#include <stdint.h>
#include <string.h>

#define DIGITS_EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

/* The eight at s; compilers make it one load. */
static inline uint64_t
digits_word(const void *s)
{
	unsigned char b[8];

	memcpy(b, s, sizeof b);
	return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 |
	       (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
	       (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 |
	       (uint64_t)b[7] << 56;
}

/*
 * Bits in the bytes that are no digits; 0: all are. Of several only the lowest
 * is right, since what it carries goes into those above it.
 */
static inline uint64_t
digits_not(uint64_t word)
{
	const uint64_t zero = DIGITS_EACH(0x30);

	/* '0' to '9' are 30 to 39 in hex: so are they all with 6 added. */
	return ((word ^ zero) | ((word + DIGITS_EACH(6)) ^ zero)) &
	       DIGITS_EACH(0xf0);
}

/* The number that eight digits are. */
static inline uint64_t
digits_value(uint64_t word)
{
	const uint64_t each = UINT64_C(0x000000ff000000ff);

	word -= DIGITS_EACH(0x30);
	word = word * 10 + (word >> 8); /* pairs, in every other byte */
	return ((word & each) * UINT64_C(0x000f424000000064) +
		(word >> 16 & each) * UINT64_C(0x0000271000000001)) >>
	       32;
}

#endif
