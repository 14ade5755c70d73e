#include "out/resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "out/tail.h"
#include "pack/pack.h"

enum { PIECE = 64 << 10, ROOM = 256 << 10 };

/* Text that was unpacked; of a very long one the end alone. */
struct text {
	struct unpacker *unpacker;
	char *raw; /* [PIECE] */
	char *at;
	size_t n, size;
	int64_t gone;    /* bytes before at[0] that are given up */
	int64_t *ends;   /* [of blocks] offset of the text behind each */
	const char *why; /* what the library says of damage */
};

static bool
make_room(struct text *t)
{
	if (t->n > 2 * (size_t)TAIL_MOST) {
		size_t keep = TAIL_MOST;

		t->gone += (int64_t)(t->n - keep);
		memmove(t->at, t->at + t->n - keep, keep);
		t->n = keep;
	}
	if (t->size - t->n >= ROOM)
		return true;
	size_t more = 2 * t->size + ROOM;
	char *grown = realloc(t->at, more);

	if (grown == NULL)
		return false;
	t->at = grown;
	t->size = more;
	return true;
}

static bool
unpack_piece(struct text *t, size_t n)
{
	for (size_t at = 0;;) {
		size_t from = n - at;

		if (!make_room(t))
			return false;
		size_t to = t->size - t->n;

		if (!unpack(t->unpacker, t->raw + at, &from, t->at + t->n, &to,
			    &t->why)) {
			errno = EILSEQ;
			return false;
		}
		at += from;
		t->n += to;
		if (at == n && to == 0)
			return true;
	}
}

/* The file's bytes from..to, or until there are `enough` of the text. */
static bool
unpack_range(struct text *t, int fd, int64_t from, int64_t to, size_t enough)
{
	while (from < to && t->n < enough) {
		size_t n = to - from < PIECE ? (size_t)(to - from) : PIECE;
		ssize_t got = pread(fd, t->raw, n, (off_t)from);

		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = EIO;
		if (got <= 0 || !unpack_piece(t, (size_t)got))
			return false;
		from += got;
	}
	return true;
}

static void
begin(struct text *t)
{
	unpacker_reset(t->unpacker);
	t->n = 0;
	t->gone = 0;
}

/* The text from a frame on, with the end of each block of the last one. */
static bool
unpack_from(struct text *t, int fd, const struct pack_blocks *b, size_t frame)
{
	int64_t last = b->frame[b->nframes - 1];

	begin(t);
	if (!unpack_range(t, fd, b->frame[frame], last, SIZE_MAX))
		return false;
	for (size_t i = 0; i < b->nblocks; i++) {
		if (!unpack_range(t, fd, i > 0 ? b->block[i - 1] : last,
				  b->block[i], SIZE_MAX))
			return false;
		t->ends[i] = t->gone + (int64_t)t->n;
	}
	return b->nblocks == 0 || b->open ||
	       unpack_range(t, fd, b->block[b->nblocks - 1], b->end, SIZE_MAX);
}

/* Looks back as far as it needs to tell. */
static bool
examine(struct text *t, int fd, const struct pack_blocks *b, struct tail *tail)
{
	for (size_t back = 2;; back *= 4) {
		size_t frame = back < b->nframes ? b->nframes - back : 0;

		if (!unpack_from(t, fd, b, frame))
			return false;
		bool all = frame == 0 && t->gone == 0;

		if (tail_examine(t->at, t->n, all, tail) || frame == 0 ||
		    t->n > TAIL_MOST)
			return true;
	}
}

/* Where the file is to be cut for `cut` bytes less of text. */
static enum resume_status
place_cut(struct resume *r, const struct text *t, const struct pack_blocks *b,
	  const struct tail *tail)
{
	int64_t keep = t->gone + (int64_t)t->n - tail->cut;
	bool open = b->open;

	r->keep = b->end;
	r->cut = tail->cut;
	r->fresh = keep <= 0;
	r->ends = open && b->nblocks > 1;
	if (b->nblocks <= 1 && open) /* nothing of the frame is there */
		r->keep = b->frame[b->nframes - 1];
	if (r->fresh) {
		r->keep = 0;
		r->ends = false;
		return RESUME_OK;
	}
	if (b->checked && (r->ends || tail->cut > 0))
		return RESUME_WHOLE;
	if (tail->cut == 0)
		return RESUME_OK;
	for (size_t i = b->nblocks; i-- > 0;)
		if (t->ends[i] == keep) {
			r->keep =
				i > 0 ? b->block[i] : b->frame[b->nframes - 1];
			r->ends = i > 0;
			return RESUME_OK;
		}
	return RESUME_WHOLE;
}

static enum resume_status
find_end(struct resume *r, struct text *t, int fd, const struct pack_blocks *b,
	 const char *head, size_t len)
{
	char first[PACK_END_SIZE + 1];
	struct tail tail;

	if (b->nframes == 0) { /* perhaps the first bytes of one */
		ssize_t n = pread(fd, first, sizeof first, 0);

		*r = (struct resume){ .fresh = true };
		return n < 0 ? RESUME_ERROR
		       : n == (ssize_t)sizeof first && b->end == 0
			       ? RESUME_PLAIN
			       : RESUME_OK;
	}
	t->ends = calloc(b->nblocks + 1, sizeof *t->ends);
	if (t->ends == NULL)
		return RESUME_ERROR;
	begin(t);
	if (!unpack_range(t, fd, b->frame[0], b->end,
			  len > RESUME_FIRST ? len : RESUME_FIRST))
		return RESUME_ERROR;
	if (memcmp(t->at, head, t->n < len ? t->n : len) != 0) {
		size_t n = t->n < RESUME_FIRST - 1 ? t->n : RESUME_FIRST - 1;

		memcpy(r->first, t->at, n);
		r->first[n] = '\0';
		return RESUME_HEAD;
	}
	if (!examine(t, fd, b, &tail))
		return RESUME_ERROR;
	return place_cut(r, t, b, &tail);
}

enum resume_status
resume_find(struct resume *r, int fd, const char *head, size_t len)
{
	struct text t = { .unpacker = unpacker_new(NULL),
			  .raw = malloc(PIECE) };
	struct pack_blocks b = { .nframes = 0 };
	enum resume_status status = RESUME_ERROR;

	errno = ENOMEM;
	if (t.unpacker != NULL && t.raw != NULL && make_room(&t) &&
	    pack_blocks_find(&b, fd))
		status = find_end(r, &t, fd, &b, head, len);
	int error = errno;

	pack_blocks_free(&b);
	unpacker_free(t.unpacker);
	free(t.raw);
	free(t.at);
	free(t.ends);
	errno = error;
	return status;
}
