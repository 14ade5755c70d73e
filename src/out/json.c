#include "out/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/formula.h"
#include "base/utf8.h"
#include "model/columns.h"

enum {
	GROWTH = 3,    /* a byte that is no UTF-8 becomes three */
	KEY_BESIDE = 5 /* ,"": and room for "[" or "null" is GROWTH's */
};

void
json_string(struct buf *b, const char *s, size_t n)
{
	static const char hex[] = "0123456789abcdef";

	buf_char(b, '"');
	for (size_t i = 0; i < n;) {
		unsigned char c = (unsigned char)s[i];
		size_t len = utf8_length(s + i, n - i);

		if (len == 0) {
			buf_str(b, UTF8_REPLACEMENT);
			i++;
			continue;
		}
		if (c == '"' || c == '\\')
			buf_char(b, '\\');
		if (c < ' ') {
			buf_str(b, "\\u00");
			buf_char(b, hex[c >> 4]);
			buf_char(b, hex[c & 15]);
		} else {
			buf_bytes(b, s + i, len);
		}
		i += len;
	}
	buf_char(b, '"');
}

bool
json_keys_init(struct json_keys *k, unsigned ncolumns, struct err *e)
{
	size_t size = 0;

	for (unsigned i = 0; i < ncolumns; i++)
		size += strlen(column_at(i).name) + KEY_BESIDE;
	*k = (struct json_keys){ .n = ncolumns };
	k->end = calloc(ncolumns, sizeof *k->end);
	k->text = malloc(size);
	if (k->end == NULL || k->text == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a recording");
	struct buf b = buf_over(k->text, size);

	for (unsigned i = 0; i < ncolumns; i++) {
		buf_char(&b, i == 0 ? '{' : ',');
		json_string(&b, column_at(i).name, strlen(column_at(i).name));
		buf_char(&b, ':');
		k->end[i] = b.len;
	}
	return true;
}

void
json_keys_free(struct json_keys *k)
{
	free(k->end);
	free(k->text);
	*k = (struct json_keys){ 0 };
}

size_t
json_size(const struct json_keys *k, size_t rows_size, unsigned nrows)
{
	/* "null" is four bytes for a field of none. */
	return GROWTH * rows_size +
	       (size_t)nrows * (k->end[k->n - 1] + 4u * k->n + 4);
}

/* A CSV field: its text without quotes goes to `out`; the rest of the row. */
static const char *
take_field(const char *s, const char *end, struct buf *out)
{
	bool quoted = s < end && *s == '"';

	for (s += quoted; s < end; s++) {
		if (quoted && *s == '"') {
			if (s + 1 == end || s[1] != '"') {
				s++;
				break;
			}
			s++;
		} else if (!quoted && *s == ',') {
			break;
		}
		buf_char(out, *s);
	}
	return s;
}

static void
put_words(struct buf *b, const char *s, size_t n)
{
	buf_char(b, '[');
	for (size_t i = 0; i < n;) {
		const char *semicolon = memchr(s + i, ';', n - i);
		size_t len =
			semicolon != NULL ? (size_t)(semicolon - s) - i : n - i;

		if (i > 0)
			buf_char(b, ',');
		json_string(b, s + i, len);
		i += len + 1;
	}
	buf_char(b, ']');
}

static void
put_value(struct buf *b, unsigned column, enum column_type type,
	  const struct buf *v)
{
	/* JSON has no infinity. */
	bool number = v->len > 0 &&
		      (v->at[0] == '-' || (v->at[0] >= '0' && v->at[0] <= '9'));

	if (column == COLUMN_QUALITY)
		put_words(b, v->at, v->len);
	else if (v->len == 0)
		buf_str(b, "null");
	else if (type == COLUMN_TEXT || type == COLUMN_TIME)
		json_string(b, v->at + formula_guard(v->at, v->len),
			    v->len - formula_guard(v->at, v->len));
	else if (number && v->at[v->len - 1] != 'f')
		buf_bytes(b, v->at, v->len);
	else
		buf_str(b, "null");
}

static void
put_row(struct buf *b, const struct json_keys *k, const char *s,
	const char *end)
{
	char text[1024];
	size_t from = 0;

	for (unsigned i = 0; i < k->n; i++) {
		struct buf v = buf_over(text, sizeof text);

		s = take_field(s, end, &v);
		if (s < end)
			s++;
		buf_bytes(b, k->text + from, k->end[i] - from);
		from = k->end[i];
		put_value(b, i, column_at(i).type, &v);
	}
	buf_str(b, "}\n");
}

void
json_from_rows(struct buf *b, const struct json_keys *k, const char *rows,
	       size_t len)
{
	const char *end = rows + len;

	while (rows < end) {
		const char *line = memchr(rows, '\n', (size_t)(end - rows));

		if (line == NULL)
			return;
		put_row(b, k, rows, line);
		rows = line + 1;
	}
}
