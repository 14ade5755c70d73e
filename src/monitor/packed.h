/* Words that are much like others, in few bytes. */
#ifndef MONITOR_PACKED_H
#define MONITOR_PACKED_H

#include <stdint.h>

enum {
	PACKED_WORDS = 32, /* at most, at a time, and by fours */
	/* Room that they may need: what is written last is written whole. */
	PACKED_ROOM = 4 + PACKED_WORDS * 9 + 8
};

/*
 * Of n words only those that differ from `like`, and of those only the bytes up
 * to the last that does. Returns the end.
 */
uint8_t *packed_put(uint8_t *to, const uint64_t *word, const uint64_t *like,
		    unsigned n);

/* The words again; up to 8 bytes behind their end are looked at. */
const uint8_t *packed_get(const uint8_t *from, uint64_t *word,
			  const uint64_t *like, unsigned n);

#endif
