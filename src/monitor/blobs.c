#include "monitor/blobs.h"

#include <stdlib.h>
#include <string.h>

static uint8_t *
chunk_of(const struct blobs *b, uint32_t number)
{
	return b->byte + (size_t)(number - 1) * BLOB_CHUNK;
}

static uint32_t
next_of(const struct blobs *b, uint32_t number)
{
	uint32_t next;

	memcpy(&next, chunk_of(b, number) + BLOB_ROOM, sizeof next);
	return next;
}

static void
set_next(struct blobs *b, uint32_t number, uint32_t next)
{
	memcpy(chunk_of(b, number) + BLOB_ROOM, &next, sizeof next);
}

bool
blobs_init(struct blobs *b, size_t bytes, size_t blobs)
{
	size_t chunks = bytes / BLOB_ROOM + blobs + 1;

	*b = (struct blobs){ .byte = NULL };
	if (chunks >= UINT32_MAX)
		return false;
	b->byte = calloc(chunks, BLOB_CHUNK);
	b->chunks = (uint32_t)chunks;
	return b->byte != NULL;
}

void
blobs_done(struct blobs *b)
{
	free(b->byte);
	*b = (struct blobs){ .byte = NULL };
}

void
blobs_clear(struct blobs *b)
{
	b->used = b->free = b->nfree = 0;
}

static uint32_t
take(struct blobs *b)
{
	uint32_t number = b->free;

	if (number == 0)
		return ++b->used;
	b->free = next_of(b, number);
	b->nfree--;
	return number;
}

uint32_t
blobs_put(struct blobs *b, const void *from, size_t len)
{
	const uint8_t *byte = from;
	uint32_t first = 0, last = 0;

	if (len == 0)
		return 0;
	if ((len + BLOB_ROOM - 1) / BLOB_ROOM > b->chunks - b->used + b->nfree)
		return 0;
	for (size_t at = 0; at < len; at += BLOB_ROOM) {
		uint32_t number = take(b);
		size_t part = len - at < BLOB_ROOM ? len - at : BLOB_ROOM;

		memcpy(chunk_of(b, number), byte + at, part);
		set_next(b, number, 0);
		if (last != 0)
			set_next(b, last, number);
		else
			first = number;
		last = number;
	}
	return first;
}

void
blobs_get(const struct blobs *b, uint32_t blob, size_t at, size_t len, void *to)
{
	uint8_t *byte = to;

	for (; at >= BLOB_ROOM; at -= BLOB_ROOM)
		blob = next_of(b, blob);
	for (; len > 0; blob = next_of(b, blob), at = 0) {
		size_t part = len < BLOB_ROOM - at ? len : BLOB_ROOM - at;

		memcpy(byte, chunk_of(b, blob) + at, part);
		byte += part;
		len -= part;
	}
}

void
blobs_get_all(const struct blobs *b, uint32_t blob, void *to, size_t room)
{
	uint8_t *byte = to;

	for (; blob != 0 && room > 0; blob = next_of(b, blob)) {
		size_t part = room < BLOB_ROOM ? room : BLOB_ROOM;

		memcpy(byte, chunk_of(b, blob), part);
		byte += part;
		room -= part;
	}
}

void
blobs_drop(struct blobs *b, uint32_t blob)
{
	while (blob != 0) {
		uint32_t next = next_of(b, blob);

		set_next(b, blob, b->free);
		b->free = blob;
		b->nfree++;
		blob = next;
	}
}
