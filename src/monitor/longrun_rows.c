#include "monitor/longrun_rows.h"

#include <stdlib.h>
#include <string.h>

#include "monitor/packed.h"

/* Of a row's words: the head with the counts, their times, the rest. */
enum {
	WORDS = sizeof(struct sums_run) / sizeof(uint64_t),
	COUNT = offsetof(struct sums_run, s.count) / sizeof(uint64_t),
	NS = offsetof(struct sums_run, s.ns) / sizeof(uint64_t),
	REST = offsetof(struct sums_run, s.cpu_ns) / sizeof(uint64_t),
	EVENT_NS = offsetof(struct sums_run, s.event_ns) / sizeof(uint64_t),
	WALL_NS = offsetof(struct sums_run, wall_ns) / sizeof(uint64_t),
	BUSY_CPU = offsetof(struct sums_run, busy_cpu_ns) / sizeof(uint64_t),
	/* As many, by fours. */
	HEAD_ROOM = (NS + 3) / 4 * 4,
	NS_ROOM = (REST - NS + 3) / 4 * 4,
	REST_ROOM = (WORDS - REST + 3) / 4 * 4,
	ROW_ROOM = 1 + 3 * PACKED_ROOM
};

_Static_assert(sizeof(struct sums_run) == WORDS * sizeof(uint64_t) &&
		       NS == COUNT + TERM_COUNTS && REST == NS + TERM_COUNTS &&
		       (int)HEAD_ROOM <= (int)PACKED_WORDS &&
		       (int)REST_ROOM <= (int)PACKED_WORDS,
	       "a row is made of words, in three parts");

bool
longrun_rows_init(struct longrun_rows *l, unsigned nparts, unsigned nrows)
{
	size_t part = nrows * (size_t)(ROW_ROOM + sizeof(uint32_t));

	*l = (struct longrun_rows){ .nrows = nrows, .nparts = nparts };
	size_t nopen = LONGRUN_OPEN_BYTES / (nrows * sizeof *l->row);

	if (nopen > LONGRUN_OPEN)
		nopen = LONGRUN_OPEN;
	if (nopen < LONGRUN_OPEN_MIN)
		nopen = LONGRUN_OPEN_MIN;
	l->nopen = (unsigned)nopen;
	l->row = calloc(nopen * nrows, sizeof *l->row);
	l->slot = calloc(nparts, sizeof *l->slot);
	l->blob = calloc(nparts, sizeof *l->blob);
	l->bytes = calloc(1, part);
	return l->row != NULL && l->slot != NULL && l->blob != NULL &&
	       l->bytes != NULL && blobs_init(&l->blobs, nparts * part, nparts);
}

void
longrun_rows_done(struct longrun_rows *l)
{
	free(l->row);
	free(l->slot);
	free(l->blob);
	free(l->bytes);
	blobs_done(&l->blobs);
}

/* ---- a row in few bytes ---- */

static const uint64_t nothing[PACKED_WORDS];

/*
 * Doubles of whole numbers end with zeros: they are turned round. Most rows'
 * times are those of their CPUs, and are taken as differing from them.
 */
static void
turn_rest(const uint64_t *from, uint64_t *to)
{
	uint64_t cpu_ns = from[0];

	for (unsigned i = 0; i < WORDS - REST; i++)
		to[i] = from[i];
	to[EVENT_NS - REST] ^= cpu_ns;
	to[WALL_NS - REST] ^= cpu_ns;
	to[BUSY_CPU - REST] ^= cpu_ns;
}

static void
turn_round(uint64_t *w, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		w[i] = __builtin_bswap64(w[i]);
}

/* Most counts cover all the time of their CPUs. True: some do not. */
static bool
less_time(const uint64_t *w, uint64_t *to)
{
	uint64_t any = 0;

	for (unsigned i = 0; i < TERM_COUNTS; i++) {
		to[i] = w[NS + i] ^ (w[COUNT + i] != 0 ? w[REST] : 0);
		any |= to[i];
	}
	return any != 0;
}

/* A byte says whether there are times of counts. */
static uint8_t *
pack_row(uint8_t *to, const struct sums_run *r)
{
	uint64_t w[WORDS], head[HEAD_ROOM] = { 0 }, ns[NS_ROOM] = { 0 },
			   rest[REST_ROOM] = { 0 };

	memcpy(w, r, sizeof w);
	memcpy(head, w, NS * sizeof *w);
	turn_rest(w + REST, rest);
	turn_round(rest, REST_ROOM);
	bool times = less_time(w, ns);

	*to++ = times;
	to = packed_put(to, head, nothing, HEAD_ROOM);
	to = packed_put(to, rest, nothing, REST_ROOM);
	if (!times)
		return to;
	turn_round(ns, NS_ROOM);
	return packed_put(to, ns, nothing, NS_ROOM);
}

static void
unpack_row(const uint8_t *from, struct sums_run *r)
{
	uint64_t w[WORDS], head[HEAD_ROOM], ns[NS_ROOM] = { 0 },
					    rest[REST_ROOM];
	bool times = *from++ != 0;

	from = packed_get(from, head, nothing, HEAD_ROOM);
	from = packed_get(from, rest, nothing, REST_ROOM);
	if (times)
		(void)packed_get(from, ns, nothing, NS_ROOM);
	turn_round(ns, NS_ROOM);
	turn_round(rest, REST_ROOM);
	memcpy(w, head, NS * sizeof *w);
	turn_rest(rest, w + REST);
	for (unsigned i = 0; i < TERM_COUNTS; i++)
		w[NS + i] = ns[i] ^ (w[COUNT + i] != 0 ? w[REST] : 0);
	memcpy(r, w, sizeof w);
}

/* ---- parts: where each row ends, then the rows ---- */

static size_t
heads(const struct longrun_rows *l)
{
	return l->nrows * sizeof(uint32_t);
}

static void
pack(struct longrun_rows *l, unsigned slot)
{
	const struct sums_run *row = &l->row[(size_t)slot * l->nrows];
	unsigned part = l->part[slot] - 1;
	uint8_t *end = l->bytes + heads(l);

	for (unsigned i = 0; i < l->nrows; i++) {
		end = pack_row(end, &row[i]);
		uint32_t at = (uint32_t)(end - l->bytes);

		memcpy(l->bytes + i * sizeof at, &at, sizeof at);
	}
	/* There is room for all parts as they are at their worst. */
	l->blob[part] =
		blobs_put(&l->blobs, l->bytes, (size_t)(end - l->bytes));
	l->slot[part] = 0;
	l->part[slot] = 0;
}

static void
unpack(struct longrun_rows *l, uint32_t blob, struct sums_run *row)
{
	uint32_t at = (uint32_t)heads(l), end;

	blobs_get_all(&l->blobs, blob, l->bytes,
		      l->nrows * (size_t)(ROW_ROOM + sizeof(uint32_t)));
	for (unsigned i = 0; i < l->nrows; i++) {
		memcpy(&end, l->bytes + i * sizeof end, sizeof end);
		unpack_row(l->bytes + at, &row[i]);
		at = end;
	}
}

/* ---- open ones ---- */

/* The next one, whatever lies there, but for what was touched last. */
static unsigned
take_slot(struct longrun_rows *l)
{
	unsigned slot;

	do {
		slot = l->next;
		l->next = (slot + 1) % l->nopen;
	} while (l->part[slot] != 0 && l->turn[slot] == l->turns);
	if (l->part[slot] != 0)
		pack(l, slot);
	return slot;
}

static struct sums_run *
rows_in(struct longrun_rows *l, unsigned part)
{
	unsigned slot = l->slot[part];

	if (slot == 0) {
		slot = take_slot(l) + 1;
		l->slot[part] = (uint16_t)slot;
		l->part[slot - 1] = part + 1;
	}
	l->turn[slot - 1] = ++l->turns;
	return &l->row[(size_t)(slot - 1) * l->nrows];
}

void
longrun_rows_drop(struct longrun_rows *l, unsigned part)
{
	if (l->slot[part] != 0)
		l->part[l->slot[part] - 1] = 0;
	l->slot[part] = 0;
	blobs_drop(&l->blobs, l->blob[part]);
	l->blob[part] = 0;
}

void
longrun_rows_clear(struct longrun_rows *l, unsigned part)
{
	struct sums_run *row;

	longrun_rows_drop(l, part);
	row = rows_in(l, part);
	for (unsigned i = 0; i < l->nrows; i++)
		sums_run_clear(&row[i]);
}

struct sums_run *
longrun_rows_open(struct longrun_rows *l, unsigned part)
{
	uint32_t blob = l->blob[part];
	struct sums_run *row = rows_in(l, part);

	if (blob != 0) {
		unpack(l, blob, row);
		blobs_drop(&l->blobs, blob);
		l->blob[part] = 0;
	}
	return row;
}

const struct sums_run *
longrun_rows_read(const struct longrun_rows *l, unsigned part, unsigned row,
		  struct sums_run *out)
{
	uint8_t bytes[ROW_ROOM];
	uint32_t at[2] = { (uint32_t)heads(l), 0 };

	if (l->slot[part] != 0)
		return &l->row[(size_t)(l->slot[part] - 1) * l->nrows + row];
	if (row == 0)
		blobs_get(&l->blobs, l->blob[part], 0, sizeof at[1], &at[1]);
	else
		blobs_get(&l->blobs, l->blob[part], (row - 1) * sizeof at[0],
			  sizeof at, at);
	blobs_get(&l->blobs, l->blob[part], at[0], at[1] - at[0], bytes);
	unpack_row(bytes, out);
	return out;
}
