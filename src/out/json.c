#include "out/json.h"

#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/columns.h"

enum { KEY_BESIDE = 4 }; /* ,"": */

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
json_keys_size(const struct json_keys *k)
{
	return k->end[k->n - 1];
}

void
json_key(struct buf *b, const struct json_keys *k, unsigned column)
{
	size_t from = column > 0 ? k->end[column - 1] : 0;

	buf_bytes(b, k->text + from, k->end[column] - from);
}

void
json_words(struct buf *b, const char *words)
{
	buf_char(b, '[');
	for (const char *at = words; *at != '\0';) {
		size_t n = strcspn(at, ";");

		if (at > words)
			buf_char(b, ',');
		json_string(b, at, n);
		at += n + (at[n] == ';');
	}
	buf_char(b, ']');
}
