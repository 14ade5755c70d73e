#include "pack/pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* RFC 8878: numbers are little-endian; a frame is a header and blocks. */
enum {
	MAGIC_SIZE = 4,
	SKIPPED_HEADER = 8, /* of a frame that decoders pass over */
	BLOCK_HEADER = 3,
	CHECKSUM_SIZE = 4,
	SINGLE_SEGMENT = 0x20, /* in the header's first byte */
	CHECKSUM = 0x04,
	BLOCK_LAST = 0x01, /* in a block's */
	BLOCK_RLE = 1,
	BLOCK_RESERVED = 3
};

const char pack_end[PACK_END_SIZE] = { BLOCK_LAST, 0, 0 };

bool
pack_magic(const char *s, size_t n)
{
	return n >= MAGIC_SIZE &&
	       memcmp(s, "\x28\xb5\x2f\xfd", MAGIC_SIZE) == 0;
}

bool
pack_named(const char *path)
{
	size_t n = strlen(path), suffix = strlen(PACK_SUFFIX);

	return n > suffix && strcmp(path + n - suffix, PACK_SUFFIX) == 0;
}

bool
pack_check(const char *path, enum err_code code, struct err *e)
{
	static const char *const others[] = { ".gz", ".bz2", ".xz", ".lz4" };
	size_t n = strlen(path);

	for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
		size_t suffix = strlen(others[i]);

		if (n > suffix && strcmp(path + n - suffix, others[i]) == 0)
			return err_set(
				e, code,
				"%s: ktop compresses with zstd alone; name it %.*s" PACK_SUFFIX
				", or write to - and pipe that to another program",
				path, (int)(n - suffix), path);
	}
	if (!pack_named(path) || pack_available)
		return true;
	return err_set(
		e, code,
		"%s: this ktop was built without zstd, so it does not compress; name it %.*s, or write to - and pipe that to zstd",
		path, (int)(n - strlen(PACK_SUFFIX)), path);
}

/* ---- frames and blocks ---- */

static bool
note(int64_t **list, size_t *n, size_t *size, int64_t at)
{
	if (*n == *size) {
		size_t more = *size == 0 ? 256 : 2 * *size;
		int64_t *grown = realloc(*list, more * sizeof *grown);

		if (grown == NULL)
			return false;
		*list = grown;
		*size = more;
	}
	(*list)[(*n)++] = at;
	return true;
}

/* Up to n bytes; fewer at the end. -1: errno. */
static ssize_t
bytes_at(int fd, unsigned char *to, size_t n, int64_t at)
{
	size_t have = 0;

	while (have < n) {
		ssize_t got =
			pread(fd, to + have, n - have, (off_t)at + (off_t)have);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

static uint32_t
number(const unsigned char *s, unsigned n)
{
	uint32_t v = 0;

	while (n-- > 0)
		v = v << 8 | s[n];
	return v;
}

/* Of a frame's header with its magic, by its descriptor. */
static int64_t
header_size(unsigned char descriptor)
{
	static const unsigned char dictionary[] = { 0, 1, 2, 4 };
	static const unsigned char content[] = { 0, 2, 4, 8 };
	bool single = (descriptor & SINGLE_SEGMENT) != 0;
	unsigned size = content[descriptor >> 6];

	if (single && size == 0)
		size = 1;
	return MAGIC_SIZE + 1 + !single + dictionary[descriptor & 3] +
	       (int64_t)size;
}

enum found { FOUND, FOUND_END, FOUND_ERROR };

/* The blocks of the frame that begins at b->end, and its end. */
static enum found
blocks_of(struct pack_blocks *b, int fd, unsigned char descriptor, int64_t size)
{
	int64_t at = b->end + header_size(descriptor);
	unsigned char s[BLOCK_HEADER];
	bool last = false;

	b->nblocks = 0;
	b->open = true;
	b->checked = (descriptor & CHECKSUM) != 0;
	if (at > size)
		return FOUND_END;
	while (!last) {
		if (!note(&b->block, &b->nblocks, &b->blocks_size, at))
			return FOUND_ERROR;
		b->end = at;
		ssize_t n = bytes_at(fd, s, sizeof s, at);

		if (n < 0)
			return FOUND_ERROR;
		uint32_t block = number(s, BLOCK_HEADER);
		unsigned type = block >> 1 & 3;

		if (n < BLOCK_HEADER || type == BLOCK_RESERVED)
			return FOUND_END;
		at += BLOCK_HEADER + (type == BLOCK_RLE ? 1 : block >> 3);
		last = (block & BLOCK_LAST) != 0;
		if (last && b->checked)
			at += CHECKSUM_SIZE;
		if (at > size)
			return FOUND_END;
	}
	b->end = at;
	b->open = false;
	return FOUND;
}

static enum found
next_frame(struct pack_blocks *b, int fd, int64_t size)
{
	unsigned char s[SKIPPED_HEADER];
	ssize_t n = bytes_at(fd, s, sizeof s, b->end);

	if (n < 0)
		return FOUND_ERROR;
	if (n <= MAGIC_SIZE)
		return FOUND_END;
	if (pack_magic((const char *)s, (size_t)n)) {
		if (!note(&b->frame, &b->nframes, &b->frames_size, b->end))
			return FOUND_ERROR;
		return blocks_of(b, fd, s[MAGIC_SIZE], size);
	}
	/* 0x184D2A50 to ...5F */
	if (n < SKIPPED_HEADER || number(s, 4) >> 4 != 0x184d2a5)
		return FOUND_END;
	int64_t end = b->end + SKIPPED_HEADER + number(s + 4, 4);

	if (end > size)
		return FOUND_END;
	b->end = end;
	return FOUND;
}

bool
pack_blocks_find(struct pack_blocks *b, int fd)
{
	enum found found;
	off_t size = lseek(fd, 0, SEEK_END);

	*b = (struct pack_blocks){ .nframes = 0 };
	if (size < 0)
		return false;
	do
		found = next_frame(b, fd, size);
	while (found == FOUND);
	return found == FOUND_END;
}

void
pack_blocks_free(struct pack_blocks *b)
{
	free(b->frame);
	free(b->block);
	*b = (struct pack_blocks){ .nframes = 0 };
}
