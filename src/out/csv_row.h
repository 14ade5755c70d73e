/* One row of a recording in the making, field by field, in CSV or JSON. */
#ifndef OUT_CSV_ROW_H
#define OUT_CSV_ROW_H

#include "model/columns.h"
#include "out/csv_plan.h"

/* A row in the making, or a piece of one: the next field is of `column`. */
struct csv_row {
	struct buf *b;
	const struct csv_plan *p;
	unsigned column;
};

static inline void
csv_begin_field(struct csv_row *r)
{
	if (r->p->json)
		json_key(r->b, &r->p->keys, r->column);
	else if (r->column > 0)
		buf_char(r->b, ',');
	r->column++;
}

/* CSV has nothing for what is not known. */
static inline void
csv_put_nothing(struct csv_row *r)
{
	if (r->p->json)
		buf_str(r->b, r->column == COLUMN_QUALITY + 1 ? "[]" : "null");
}

static inline void
csv_put_count(struct csv_row *r, bool known, uint64_t n)
{
	csv_begin_field(r);
	if (known)
		buf_u64(r->b, n);
	else
		csv_put_nothing(r);
}

/* After a number was written from there on. JSON has no infinity. */
static inline void
csv_end_number(struct csv_row *r, size_t from)
{
	struct buf *b = r->b;

	if (!r->p->json || b->full)
		return;
	if (b->len > from && b->at[b->len - 1] == 'f')
		b->len = from;
	if (b->len == from)
		csv_put_nothing(r);
}

static inline void
csv_put_real(struct csv_row *r, bool known, double v)
{
	enum { DIGITS = 9 }; /* significant ones of a derived value */

	csv_begin_field(r);
	size_t from = r->b->len;

	if (known)
		format_real(r->b, v, DIGITS);
	csv_end_number(r, from);
}

/* A piece that stands in for the columns up to `column`. */
static inline void
csv_put_piece(struct csv_row *r, const char *text, size_t len, unsigned column)
{
	buf_bytes(r->b, text, len);
	r->column = column;
}

/* Leaves out what stands before that column. */
void csv_nothing_up_to(struct csv_row *r, unsigned column);

void csv_put_text(struct csv_row *r, const char *text);
void csv_put_quality(struct csv_row *r, const char *words);

/* Less than 0: it has none. */
void csv_put_index(struct csv_row *r, int v);
void csv_put_seconds(struct csv_row *r, bool known, double s);

/* Schema, kind of row, run. */
void csv_put_head(struct csv_row *r, const char *row);
void csv_end_row(struct csv_row *r);

#endif
