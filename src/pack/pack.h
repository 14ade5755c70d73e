/*
 * Compressed recordings: zstd, where the program was built with it. A frame of
 * zstd ends after every 256 KiB of text, so that a reader finds places to go on
 * from, and a block with every piece that is given to the packer, so that a
 * file that ends there lacks nothing.
 */
#ifndef PACK_PACK_H
#define PACK_PACK_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PACK_SUFFIX ".zst"

enum { PACK_FRAME_BYTES = 256 << 10 };

/* Do files of that name hold compressed text? */
bool pack_named(const char *path);

/*
 * Can this program write what the name promises? False and *e: no, it is a
 * name of another compressor, or this program was built without the library.
 */
bool pack_check(const char *path, enum err_code code, struct err *e);

/* ---- zstd.c, or none.c ---- */

/* Built with the library? */
extern const bool pack_available;

struct packer;

/* NULL and *e: no memory, or not available. */
struct packer *packer_new(struct err *e);
void packer_free(struct packer *p);

/* Room for what n bytes, or the end, become at most. */
size_t packer_bound(size_t n);

/* Text to whole blocks; how many bytes they are. Nothing is allocated. */
size_t packer_add(struct packer *p, const char *text, size_t n, char *out,
		  size_t size);

/* Ends the frame; 0 bytes where none is open. */
size_t packer_end(struct packer *p, char *out, size_t size);

/* Forgets an open frame: what comes next begins one. */
void packer_reset(struct packer *p);

struct unpacker;

struct unpacker *unpacker_new(struct err *e);
void unpacker_free(struct unpacker *u);
void unpacker_reset(struct unpacker *u);

/*
 * Takes *from.. of bytes and gives *to.. of text, as far as both go: they are
 * counts of bytes, replaced by how much of each was used. False: not zstd, or
 * damaged; why then says it in the library's words.
 */
bool unpack(struct unpacker *u, const char *in, size_t *from, char *out,
	    size_t *to, const char **why);

/* Between two frames, or at the begin of the first? */
bool unpacker_between(const struct unpacker *u);

/* Has it a part of a block whose rest it was not given yet? */
bool unpacker_in_block(const struct unpacker *u);

/* ---- blocks.c: the layout of frames, which needs no library ---- */

/* Does the text begin as a compressed file does? */
bool pack_magic(const char *s, size_t n);

/* The empty last block that ends a frame after any of its blocks. */
enum { PACK_END_SIZE = 3 };
extern const char pack_end[PACK_END_SIZE];

/* Where frames and blocks of a file begin and end. */
struct pack_blocks {
	int64_t *frame; /* [nframes], where each begins */
	size_t nframes, frames_size;
	int64_t *block; /* [nblocks], of the last frame: header's end, and
			   where each of its whole blocks ends */
	size_t nblocks, blocks_size;
	bool open;    /* the last frame has no end */
	bool checked; /* the last frame ends in a checksum */
	int64_t end;  /* of what is whole */
};

/* False: no memory, not to be read, or (errno 0) no such file. */
bool pack_blocks_find(struct pack_blocks *b, int fd);
void pack_blocks_free(struct pack_blocks *b);

#endif
