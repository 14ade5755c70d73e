#include "pack/pack.h"

#include <stdlib.h>
#include <zstd.h>

/*
 * Of an hour of ktop --sim m1, a block for each of its frames, level 1 makes
 * the smallest file of levels 1 to 6; docs/DECISIONS.md has the figures.
 */
enum {
	LEVEL = 1,
	WINDOW_LOG = 17, /* 128 KiB: more makes nothing smaller */
	HEADER_SIZE = 3  /* of a block */
};

const bool pack_available = true;

struct packer {
	ZSTD_CCtx *zstd;
	size_t in_frame; /* bytes of text */
};

struct packer *
packer_new(struct err *e)
{
	struct packer *p = calloc(1, sizeof *p);
	char out[64];

	if (p != NULL)
		p->zstd = ZSTD_createCCtx();
	if (p == NULL || p->zstd == NULL) {
		err_set(e, ERR_FAIL, "out of memory for compression");
		packer_free(p);
		return NULL;
	}
	(void)ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_compressionLevel, LEVEL);
	(void)ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_windowLog, WINDOW_LOG);
	/* A frame that is cut short is ended by an empty block: no sum. */
	(void)ZSTD_CCtx_setParameter(p->zstd, ZSTD_c_checksumFlag, 0);
	/* Takes all memory that it will need, before the first tick. */
	(void)packer_add(p, "", 1, out, sizeof out);
	packer_reset(p);
	return p;
}

void
packer_free(struct packer *p)
{
	if (p != NULL)
		(void)ZSTD_freeCCtx(p->zstd);
	free(p);
}

size_t
packer_bound(size_t n)
{
	/* A block of its own for each piece, and its frame's header. */
	return ZSTD_compressBound(n) + 64;
}

static size_t
compress(struct packer *p, const char *text, size_t n, char *out, size_t size,
	 ZSTD_EndDirective until)
{
	ZSTD_inBuffer from = { text, n, 0 };
	ZSTD_outBuffer to = { out, size, 0 };

	(void)ZSTD_compressStream2(p->zstd, &to, &from, until);
	return to.pos;
}

size_t
packer_add(struct packer *p, const char *text, size_t n, char *out, size_t size)
{
	p->in_frame += n;
	if (p->in_frame < PACK_FRAME_BYTES)
		return compress(p, text, n, out, size, ZSTD_e_flush);
	p->in_frame = 0;
	return compress(p, text, n, out, size, ZSTD_e_end);
}

size_t
packer_end(struct packer *p, char *out, size_t size)
{
	if (p->in_frame == 0)
		return 0;
	p->in_frame = 0;
	return compress(p, "", 0, out, size, ZSTD_e_end);
}

void
packer_reset(struct packer *p)
{
	p->in_frame = 0;
	(void)ZSTD_CCtx_reset(p->zstd, ZSTD_reset_session_only);
}

struct unpacker {
	ZSTD_DCtx *zstd;
	size_t wanted; /* bytes until the next block's header ends; 0: none */
};

struct unpacker *
unpacker_new(struct err *e)
{
	struct unpacker *u = calloc(1, sizeof *u);

	if (u != NULL)
		u->zstd = ZSTD_createDCtx();
	if (u != NULL && u->zstd != NULL) {
		u->wanted = 0;
		return u;
	}
	err_set(e, ERR_FAIL, "out of memory for a compressed recording");
	unpacker_free(u);
	return NULL;
}

void
unpacker_free(struct unpacker *u)
{
	if (u != NULL)
		(void)ZSTD_freeDCtx(u->zstd);
	free(u);
}

void
unpacker_reset(struct unpacker *u)
{
	(void)ZSTD_DCtx_reset(u->zstd, ZSTD_reset_session_only);
	u->wanted = 0;
}

bool
unpack(struct unpacker *u, const char *in, size_t *from, char *out, size_t *to,
       const char **why)
{
	ZSTD_inBuffer i = { in, *from, 0 };
	ZSTD_outBuffer o = { out, *to, 0 };
	size_t left = 1;

	/* One frame at most: its end is a place to go on from. */
	do
		left = ZSTD_decompressStream(u->zstd, &o, &i);
	while (!ZSTD_isError(left) && left != 0 && i.pos < i.size &&
	       o.pos < o.size);
	*from = i.pos;
	*to = o.pos;
	if (ZSTD_isError(left)) {
		*why = ZSTD_getErrorName(left);
		return false;
	}
	if (i.pos > 0 || o.pos > 0)
		u->wanted = left;
	return true;
}

bool
unpacker_between(const struct unpacker *u)
{
	return u->wanted == 0;
}

bool
unpacker_in_block(const struct unpacker *u)
{
	return u->wanted > HEADER_SIZE;
}
