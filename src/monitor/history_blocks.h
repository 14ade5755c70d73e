/*
 * The older frames of a history: blocks of frames with the same words, of each
 * row its columns packed.
 */
#ifndef MONITOR_HISTORY_BLOCKS_H
#define MONITOR_HISTORY_BLOCKS_H

#include "monitor/history.h"

static inline struct history_entry *
history_entry_of(const struct history *h, uint64_t frame)
{
	return &h->entry[frame % HISTORY_FRAMES];
}

/* False: no memory. bytes: what the ring's packed words may take. */
bool history_blocks_init(struct history *h);
bool history_blocks_room(struct history_ring *r, size_t bytes, unsigned rows);
void history_blocks_done(struct history *h);
void history_blocks_clear(struct history *h);

/* The oldest frames that are not packed are, as a block, before they go. */
void history_blocks_pack(struct history *h);

/* Lets go what is older than the frame that has this one's entry. */
void history_blocks_age(struct history *h, uint64_t frame);

/*
 * Of the row (of those in the ring) and a frame that is packed: the word behind
 * `rank` others, and those of up to n - 1 frames before it in the block, oldest
 * first. Returns how many.
 */
unsigned history_blocks_read(const struct history *h, unsigned which,
			     uint64_t frame, unsigned row, unsigned rank,
			     unsigned n, uint32_t *out);

/* All its words in that frame. */
void history_blocks_row(const struct history *h, unsigned which, uint64_t frame,
			unsigned row, uint32_t *out);

#endif
