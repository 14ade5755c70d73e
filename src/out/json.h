/* JSON lines of recordings: the keys in order of the columns, and strings. */
#ifndef OUT_JSON_H
#define OUT_JSON_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* What every line begins with; tells an existing file's kind. */
#define JSON_LINE_BEGINS "{\"schema\":\"ktop/1\","

enum { JSON_GROWTH = 3 }; /* a byte that is no UTF-8 becomes three */

/* The members' names, in order of the columns. */
struct json_keys {
	unsigned n;
	size_t *end; /* [n], of ",\"name\":" in text; the first has a brace */
	char *text;
};

/* False and *e when memory is short. */
bool json_keys_init(struct json_keys *k, unsigned ncolumns, struct err *e);
void json_keys_free(struct json_keys *k);

/* Bytes of all keys. */
size_t json_keys_size(const struct json_keys *k);

/* What stands before the value of a column. */
void json_key(struct buf *b, const struct json_keys *k, unsigned column);

/* One string in its quotes, escaped; bytes that are no UTF-8 become U+FFFD. */
void json_string(struct buf *b, const char *s, size_t n);

/* An array of the words of "a;b"; [] for none. */
void json_words(struct buf *b, const char *words);

#endif
