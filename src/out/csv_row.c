#include "out/csv_row.h"

void
csv_nothing_up_to(struct csv_row *r, unsigned column)
{
	if (!r->p->json) {
		for (; r->column < column; r->column++)
			buf_char(r->b, ',');
		return;
	}
	while (r->column < column) {
		csv_begin_field(r);
		csv_put_nothing(r);
	}
}

void
csv_put_text(struct csv_row *r, const char *text)
{
	char plain[FORMAT_FIELD_MAX + 1];
	size_t n;

	csv_begin_field(r);
	if (!r->p->json)
		format_field(r->b, text);
	else if ((n = format_clean(plain, text)) > 0)
		json_string(r->b, plain, n);
	else
		csv_put_nothing(r);
}

void
csv_put_quality(struct csv_row *r, const char *words)
{
	csv_begin_field(r);
	if (r->p->json)
		json_words(r->b, words);
	else
		format_field(r->b, words);
}

void
csv_put_index(struct csv_row *r, int v)
{
	csv_put_count(r, v >= 0, v >= 0 ? (uint64_t)v : 0);
}

void
csv_put_seconds(struct csv_row *r, bool known, double s)
{
	csv_begin_field(r);
	size_t from = r->b->len;

	if (known)
		format_seconds(r->b, s);
	csv_end_number(r, from);
}

void
csv_put_head(struct csv_row *r, const char *row)
{
	csv_put_text(r, COLUMN_SCHEMA_TEXT);
	csv_put_text(r, row);
	csv_put_text(r, r->p->run);
}

void
csv_end_row(struct csv_row *r)
{
	buf_str(r->b, r->p->json ? "}\n" : "\n");
}
