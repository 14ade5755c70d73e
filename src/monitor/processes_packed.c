#include "monitor/processes_packed.h"

#include <string.h>

enum { /* words of a row, and of the table */
       ROW_TOTALS = 8,
       ROW_PARTS = 17,
       SUM_VALUES = 2,
       TABLE_PARTS = 6
};

_Static_assert(sizeof((struct process_totals *)NULL)->part -
			       sizeof(struct process_part) <=
		       (PROCESSES_ROW_WORDS - ROW_PARTS) * sizeof(uint64_t),
	       "parts fit behind the other words of a row");
_Static_assert(PROCESS_METRICS <= PROCESSES_SUM_WORDS - SUM_VALUES,
	       "values fit behind the names");
_Static_assert(sizeof(struct process_parts) <=
		       (PROCESSES_TABLE_WORDS - TABLE_PARTS) * sizeof(uint64_t),
	       "parts fit behind the other words of the table");

enum { WHOLE = 1, REST = 2, EVERYTHING = 4 };

/* ---- as words ---- */

static uint64_t
two(uint32_t low, uint32_t high)
{
	return low | (uint64_t)high << 32;
}

/*
 * Most work on one kind of core alone: then the whole less that part, and the
 * part's time less the whole's, are nothing. Differences go around.
 */
static void
words_of_totals(const struct process_totals *d, uint64_t *w)
{
	const struct process_part *first = &d->part[0];

	w[0] = d->cycles - first->cycles;
	w[1] = d->instructions - first->instructions;
	w[2] = d->energy_nj - first->energy_nj;
	w[3] = first->cpu_ns - d->user_ns - d->system_ns;
	w[4] = d->user_ns;
	w[5] = d->system_ns;
	w[6] = first->cycles;
	w[7] = first->instructions;
	w[8] = first->energy_nj;
	memcpy(&w[9], &d->part[1], sizeof d->part - sizeof *first);
}

static void
totals_of_words(const uint64_t *w, struct process_totals *d)
{
	struct process_part *first = &d->part[0];

	d->user_ns = w[4];
	d->system_ns = w[5];
	first->cycles = w[6];
	first->instructions = w[7];
	first->energy_nj = w[8];
	first->cpu_ns = w[3] + d->user_ns + d->system_ns;
	d->cycles = w[0] + first->cycles;
	d->instructions = w[1] + first->instructions;
	d->energy_nj = w[2] + first->energy_nj;
	memcpy(&d->part[1], &w[9], sizeof d->part - sizeof *first);
}

static void
words_of_row(const struct process_row *row, uint64_t *w)
{
	w[0] = two((uint32_t)row->pid, (uint32_t)row->parent);
	w[1] = row->start;
	w[2] = (uint64_t)row->started_ns;
	w[3] = two(row->uid, row->threads);
	w[4] = row->thread;
	w[5] = two(row->flags, row->known);
	w[6] = row->state | (uint64_t)row->access << 8 |
	       (uint64_t)row->alarm << 16;
	memcpy(&w[7], &row->interval_s, sizeof row->interval_s);
	words_of_totals(&row->d, &w[ROW_TOTALS]);
}

static void
row_of_words(const uint64_t *w, struct process_row *row)
{
	row->pid = (int32_t)(uint32_t)w[0];
	row->parent = (int32_t)(uint32_t)(w[0] >> 32);
	row->start = w[1];
	row->started_ns = (int64_t)w[2];
	row->uid = (uint32_t)w[3];
	row->threads = (unsigned)(w[3] >> 32);
	row->thread = w[4];
	row->flags = (uint32_t)w[5];
	row->known = (uint32_t)(w[5] >> 32);
	row->state = (uint8_t)w[6];
	row->access = (uint8_t)(w[6] >> 8);
	row->alarm = (w[6] >> 16 & 1) != 0;
	memcpy(&row->interval_s, &w[7], sizeof row->interval_s);
	totals_of_words(&w[ROW_TOTALS], &row->d);
}

/* Names of sums are literals, so that where they lie is what they are. */
static void
words_of_sum(const struct process_row *sum, uint64_t *w, uint64_t *more)
{
	words_of_row(sum, w);
	more[0] = (uint64_t)(uintptr_t)sum->name;
	more[1] = (uint64_t)(uintptr_t)sum->user;
	memcpy(&more[SUM_VALUES], sum->value, sizeof sum->value);
}

static void
sum_of_words(const uint64_t *w, const uint64_t *more, struct process_row *sum)
{
	row_of_words(w, sum);
	sum->name = (const char *)(uintptr_t)more[0];
	sum->user = (const char *)(uintptr_t)more[1];
	memcpy(sum->value, &more[SUM_VALUES], sizeof sum->value);
}

void
processes_rows_of(struct processes_rows *r, const struct process_table *t,
		  bool whole, const unsigned *row, unsigned n)
{
	r->n = n;
	memset(r->table, 0, sizeof r->table);
	r->table[0] = (whole ? WHOLE : 0u) | (t->has_rest ? REST : 0u) |
		      (t->everything ? EVERYTHING : 0u) |
		      (uint64_t)t->domain << 32;
	memcpy(&r->table[1], &t->capacity_pct, sizeof t->capacity_pct);
	r->table[2] = t->started;
	r->table[3] = two(t->born, t->ended);
	r->table[4] = (uint64_t)t->cost_ns;
	r->table[5] = t->opened_at;
	memcpy(&r->table[TABLE_PARTS], &t->parts, sizeof t->parts);
	words_of_sum(&t->rest, r->sum[0], r->more[0]);
	words_of_sum(&t->own, r->sum[1], r->more[1]);
	words_of_sum(&t->cores, r->sum[2], r->more[2]);
	for (unsigned i = 0; i < n; i++) {
		const struct process_row *from = &t->row[row[i]];

		words_of_row(from, r->row[i]);
		r->name[i] = from->name;
		r->user[i] = from->user;
	}
}

void
processes_rows_table(const struct processes_rows *r, struct process_row *row,
		     struct process_table *t)
{
	*t = (struct process_table){ .n = r->n,
				     .row = row,
				     .opened = -1,
				     .opened_at = r->table[5],
				     .has_rest = (r->table[0] & REST) != 0,
				     .domain = (enum domain)(r->table[0] >> 32),
				     .everything =
					     (r->table[0] & EVERYTHING) != 0,
				     .started = r->table[2],
				     .born = (unsigned)r->table[3],
				     .ended = (unsigned)(r->table[3] >> 32),
				     .cost_ns = (int64_t)r->table[4],
				     .notice = "" };
	memcpy(&t->capacity_pct, &r->table[1], sizeof t->capacity_pct);
	memcpy(&t->parts, &r->table[TABLE_PARTS], sizeof t->parts);
	sum_of_words(r->sum[0], r->more[0], &t->rest);
	sum_of_words(r->sum[1], r->more[1], &t->own);
	sum_of_words(r->sum[2], r->more[2], &t->cores);
	for (unsigned i = 0; i < r->n; i++) {
		row_of_words(r->row[i], &row[i]);
		row[i].name = r->name[i];
		row[i].user = r->user[i];
		process_metrics_of(
			&row[i], (r->table[0] & WHOLE) != 0 ? &t->cores : NULL,
			t->parts.n);
	}
}

/* ---- in few bytes ---- */

static const uint64_t no_row[PROCESSES_ROW_WORDS];

static bool
is_like(const uint64_t *row, const uint64_t *like)
{
	return (uint32_t)row[0] == (uint32_t)like[0] && row[1] == like[1];
}

/* Most rows are where they were. */
static unsigned
find_like(const struct processes_rows *like, const uint64_t *row, unsigned hint)
{
	if (hint < like->n && is_like(row, like->row[hint]))
		return hint;
	for (unsigned i = 0; i < like->n; i++)
		if (is_like(row, like->row[i]))
			return i;
	return like->n;
}

static uint8_t *
put_text(uint8_t *to, const char *text)
{
	size_t size = strlen(text) + 1;

	memcpy(to, text, size);
	return to + size;
}

static const uint8_t *
get_text(const uint8_t *from, const char **text)
{
	*text = (const char *)from;
	return from + strlen(*text) + 1;
}

/*
 * A byte says which row of the other frame it is like, + 1, or 0; another
 * whether its texts are other ones, which follow.
 */
size_t
processes_rows_pack(const struct processes_rows *r,
		    const struct processes_rows *like, uint8_t *to)
{
	uint8_t *begin = to;
	unsigned hint = 0;

	*to++ = (uint8_t)r->n;
	to = packed_put(to, r->table, like->table, PROCESSES_TABLE_WORDS);
	for (unsigned i = 0; i < PROCESSES_SUMS; i++) {
		to = packed_put(to, r->sum[i], like->sum[i],
				PROCESSES_ROW_WORDS);
		to = packed_put(to, r->more[i], like->more[i],
				PROCESSES_SUM_WORDS);
	}
	for (unsigned i = 0; i < r->n; i++) {
		unsigned at = find_like(like, r->row[i], hint);
		bool any = at < like->n;
		bool same = any && strcmp(r->name[i], like->name[at]) == 0 &&
			    strcmp(r->user[i], like->user[at]) == 0;

		*to++ = (uint8_t)(any ? at + 1 : 0);
		*to++ = !same;
		if (!same)
			to = put_text(put_text(to, r->name[i]), r->user[i]);
		to = packed_put(to, r->row[i], any ? like->row[at] : no_row,
				PROCESSES_ROW_WORDS);
		hint = any ? at + 1 : hint;
	}
	return (size_t)(to - begin);
}

void
processes_rows_unpack(const uint8_t *from, const struct processes_rows *like,
		      struct processes_rows *r)
{
	r->n = *from++;
	from = packed_get(from, r->table, like->table, PROCESSES_TABLE_WORDS);
	for (unsigned i = 0; i < PROCESSES_SUMS; i++) {
		from = packed_get(from, r->sum[i], like->sum[i],
				  PROCESSES_ROW_WORDS);
		from = packed_get(from, r->more[i], like->more[i],
				  PROCESSES_SUM_WORDS);
	}
	for (unsigned i = 0; i < r->n; i++) {
		unsigned at = *from++;
		bool other = *from++ != 0;

		if (other) {
			from = get_text(from, &r->name[i]);
			from = get_text(from, &r->user[i]);
		} else {
			r->name[i] = like->name[at - 1];
			r->user[i] = like->user[at - 1];
		}
		from = packed_get(from, r->row[i],
				  at > 0 ? like->row[at - 1] : no_row,
				  PROCESSES_ROW_WORDS);
	}
}
