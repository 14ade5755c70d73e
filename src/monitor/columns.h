/* Columns of words, of a few frames each, in as few bits as they need. */
#ifndef MONITOR_COLUMNS_H
#define MONITOR_COLUMNS_H

#include "monitor/blobs.h"

enum {
	COLUMNS_FRAMES = 32, /* words of a column, at most */
	COLUMNS_MAX = 256,
	/* Bytes that the columns take at most. */
	COLUMNS_ROOM = COLUMNS_MAX * (8 + COLUMNS_FRAMES * 4) + 8
};

/*
 * The n words of each column, the first at `word`, the next `step` words on;
 * columns lie one behind the other. A column is its least word, and how much
 * more each is, without the zeros that all end with; all the same: nothing.
 * Returns how many bytes there are.
 */
size_t columns_pack(const uint32_t *word, size_t step, unsigned columns,
		    unsigned n, uint8_t *to);

/* Of a column's words n from the one at `from` on. */
void columns_read(const struct blobs *b, uint32_t blob, unsigned column,
		  unsigned from, unsigned n, uint32_t *out);

#endif
