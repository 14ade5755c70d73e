/* JSON lines out of a recording's rows: the same names, the same values. */
#ifndef OUT_JSON_H
#define OUT_JSON_H

#include "base/buf.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/* What every line begins with; tells an existing file's kind. */
#define JSON_LINE_BEGINS "{\"schema\":\"ktop/1\","

/* The members' names, in order of the columns. */
struct json_keys {
	unsigned n;
	size_t *end; /* [n], of ",\"name\":" in text; the first has a brace */
	char *text;
};

/* False and *e when memory is short. */
bool json_keys_init(struct json_keys *k, unsigned ncolumns, struct err *e);
void json_keys_free(struct json_keys *k);

/* Bytes that rows_size bytes of at most nrows rows can become. */
size_t json_size(const struct json_keys *k, size_t rows_size, unsigned nrows);

/*
 * Appends an object a line for each CSV row of rows[0..len). An empty field is
 * null, quality an array of words; bytes that are no UTF-8 become U+FFFD.
 */
void json_from_rows(struct buf *b, const struct json_keys *k, const char *rows,
		    size_t len);

/* One string in its quotes, escaped. */
void json_string(struct buf *b, const char *s, size_t n);

#endif
