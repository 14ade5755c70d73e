/* Times, numbers and text of recordings and batch text. */
#ifndef OUT_FORMAT_H
#define OUT_FORMAT_H

#include "base/buf.h"
#include "model/columns.h"

#include <stddef.h>
#include <stdint.h>

enum { FORMAT_FIELD_MAX = 512 }; /* bytes before quoting */

/* "2026-11-20T14:03:22.118Z"; negative times give 1970. */
void format_time(struct buf *b, int64_t wall_ns);

/* The next two functions write a decimal point even for whole numbers, because
 * some readers guess a column's type from its first rows. */

void format_seconds(struct buf *b, int64_t ns);

void format_real(struct buf *b, double v, int digits);

/* Copies text without control bytes, cut to fit. Returns the length. */
size_t format_clean(char out[FORMAT_FIELD_MAX + 1], const char *text);

/* Writes a CSV field without control bytes; quoted if it has a comma, quote or
 * outer blank. Text that a spreadsheet would evaluate (= + - @ after any
 * apostrophes) gets an apostrophe in front, which ktop's reader removes. */
void format_field(struct buf *b, const char *text);

#define JSON_LINE_BEGINS "{\"schema\":\"" COLUMN_SCHEMA_TEXT "\","

enum { JSON_GROWTH = 3 }; /* an invalid byte becomes 3 bytes */

/* Writes a quoted string; invalid UTF-8 becomes U+FFFD. */
void json_string(struct buf *b, const char *s, size_t n);

void json_words(struct buf *b, const char *words);

#endif
