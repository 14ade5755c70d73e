/* Bytes of any length in memory reserved once: what was packed of the past. */
#ifndef MONITOR_BLOBS_H
#define MONITOR_BLOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A blob lies in a chain of chunks of one size, and what is dropped is taken
 * again first: no more is ever touched than was in use at a time, whatever was
 * reserved. A blob wastes half a chunk on average.
 */
enum {
	BLOB_CHUNK = 256, /* bytes; four of them are the next one's number */
	BLOB_ROOM = BLOB_CHUNK - (int)sizeof(uint32_t)
};

struct blobs {
	uint8_t *byte; /* [chunks * BLOB_CHUNK] */
	uint32_t chunks, used;
	uint32_t free, nfree; /* list, + 1 */
};

/* Room for so many bytes in so many blobs; false: there is none. */
bool blobs_init(struct blobs *b, size_t bytes, size_t blobs);
void blobs_done(struct blobs *b);

/* Drops all. */
void blobs_clear(struct blobs *b);

/* A number for it; 0: there is no room, or nothing to keep. Allocates nothing.
 */
uint32_t blobs_put(struct blobs *b, const void *from, size_t len);

/* len bytes from the one at `at` on: no more than were put. */
void blobs_get(const struct blobs *b, uint32_t blob, size_t at, size_t len,
	       void *to);

/* All of it, as far as `room` goes; up to a chunk's end more than was put. */
void blobs_get_all(const struct blobs *b, uint32_t blob, void *to, size_t room);

/* 0 is none. */
void blobs_drop(struct blobs *b, uint32_t blob);

#endif
