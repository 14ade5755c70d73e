#include "monitor/history_blocks.h"

#include <stdlib.h>

#include "monitor/columns.h"

static struct history_block *
block_of(const struct history *h, uint64_t number)
{
	return &h->block[number % HISTORY_FRAMES];
}

bool
history_blocks_init(struct history *h)
{
	unsigned rows = h->ncpus > h->ngroups ? h->ncpus : h->ngroups;

	h->block = calloc(HISTORY_FRAMES, sizeof *h->block);
	h->bytes = calloc(COLUMNS_ROOM, 1);
	h->ids = calloc(rows, sizeof *h->ids);
	return h->block != NULL && h->bytes != NULL && h->ids != NULL;
}

bool
history_blocks_room(struct history_ring *r, size_t bytes, unsigned rows)
{
	size_t chunks = bytes / BLOB_CHUNK;

	r->rows = rows;
	return blobs_init(&r->blobs, chunks > 0 ? (chunks - 1) * BLOB_ROOM : 0,
			  0);
}

void
history_blocks_done(struct history *h)
{
	free(h->block);
	free(h->bytes);
	free(h->ids);
	for (unsigned i = 0; i < 2; i++)
		blobs_done(&h->ring[i].blobs);
}

void
history_blocks_clear(struct history *h)
{
	h->packed = h->nblocks = 0;
	for (unsigned i = 0; i < 2; i++) {
		blobs_clear(&h->ring[i].blobs);
		h->ring[i].kept = h->ring[i].oldest = 0;
	}
}

/* ---- letting go ---- */

static void
drop_rows(struct blobs *b, uint32_t ids, unsigned rows)
{
	for (unsigned i = 0; ids != 0 && i < rows; i++) {
		uint32_t id;

		blobs_get(b, ids, i * sizeof id, sizeof id, &id);
		blobs_drop(b, id);
	}
	blobs_drop(b, ids);
}

/* False: there is none. */
static bool
drop_oldest(struct history *h, unsigned which)
{
	struct history_ring *r = &h->ring[which];

	if (r->oldest == h->nblocks)
		return false;
	struct history_block *b = block_of(h, r->oldest++);

	drop_rows(&r->blobs, b->ids[which], r->rows);
	b->ids[which] = 0;
	if (r->kept < b->first + b->n)
		r->kept = b->first + b->n;
	return true;
}

void
history_blocks_age(struct history *h, uint64_t frame)
{
	for (unsigned i = 0; i < 2; i++) {
		struct history_ring *r = &h->ring[i];

		while (r->oldest < h->nblocks) {
			const struct history_block *b = block_of(h, r->oldest);

			if (b->first + b->n > frame + 1)
				break;
			(void)drop_oldest(h, i);
		}
		if (r->kept <= frame)
			r->kept = frame + 1;
	}
}

/* ---- packing ---- */

/* 0: it is larger than all the room there is. */
static uint32_t
keep(struct history *h, unsigned which, const void *from, size_t len)
{
	uint32_t id;

	while ((id = blobs_put(&h->ring[which].blobs, from, len)) == 0)
		if (!drop_oldest(h, which))
			return 0;
	return id;
}

/* The ids of the rows' blobs as one; 0: there is no room for all of them. */
static uint32_t
pack_rows(struct history *h, unsigned which, uint64_t first, unsigned n)
{
	struct history_ring *r = &h->ring[which];
	const struct history_entry *e = history_entry_of(h, first);
	unsigned words = (unsigned)(e->len[which] / r->rows), row = 0;
	uint32_t ids = 0;

	for (; row < r->rows; row++) {
		const uint32_t *from =
			r->word + e->at[which] + (size_t)row * words;
		size_t len =
			columns_pack(from, e->len[which], words, n, h->bytes);

		if ((h->ids[row] = keep(h, which, h->bytes, len)) == 0)
			break;
	}
	if (row == r->rows)
		ids = keep(h, which, h->ids, r->rows * sizeof *h->ids);
	while (ids == 0 && row > 0)
		blobs_drop(&r->blobs, h->ids[--row]);
	return ids;
}

/* Frames that lie one behind the other and are laid out alike. */
static unsigned
alike(const struct history *h, uint64_t first)
{
	unsigned n = 1;

	while (n < COLUMNS_FRAMES && first + n < h->pushed) {
		const struct history_entry *e = history_entry_of(h, first + n);

		if (e->run[0] == 0 || e->run[1] == 0)
			break;
		n++;
	}
	return n;
}

void
history_blocks_pack(struct history *h)
{
	uint64_t first = h->packed;
	unsigned n = alike(h, first);
	struct history_block b = { .first = first, .n = n };

	for (unsigned i = 0; i < 2; i++) {
		struct history_ring *r = &h->ring[i];

		if (history_entry_of(h, first)->len[i] > 0 && first >= r->first)
			b.ids[i] = pack_rows(h, i, first, n);
		/* What is not there ends what was before it, too. */
		while (b.ids[i] == 0 && drop_oldest(h, i))
			;
		if (b.ids[i] == 0)
			r->kept = first + n;
	}
	for (unsigned i = 0; i < n; i++)
		history_entry_of(h, first + i)->block = h->nblocks;
	*block_of(h, h->nblocks++) = b;
	h->packed += n;
}

/* ---- reading ---- */

static uint32_t
blob_of(const struct history *h, unsigned which, const struct history_block *b,
	unsigned row)
{
	uint32_t id;

	blobs_get(&h->ring[which].blobs, b->ids[which], row * sizeof id,
		  sizeof id, &id);
	return id;
}

unsigned
history_blocks_read(const struct history *h, unsigned which, uint64_t frame,
		    unsigned row, unsigned rank, unsigned n, uint32_t *out)
{
	const struct history_block *b =
		block_of(h, history_entry_of(h, frame)->block);
	unsigned end = (unsigned)(frame - b->first) + 1;

	if (n > end)
		n = end;
	columns_read(&h->ring[which].blobs, blob_of(h, which, b, row), rank,
		     end - n, n, out);
	return n;
}

void
history_blocks_row(const struct history *h, unsigned which, uint64_t frame,
		   unsigned row, uint32_t *out)
{
	const struct history_entry *e = history_entry_of(h, frame);
	const struct history_block *b = block_of(h, e->block);
	unsigned words = (unsigned)(e->len[which] / h->ring[which].rows);
	uint32_t id = blob_of(h, which, b, row);

	for (unsigned i = 0; i < words; i++)
		columns_read(&h->ring[which].blobs, id, i,
			     (unsigned)(frame - b->first), 1, &out[i]);
}
