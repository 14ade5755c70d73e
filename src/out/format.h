/* Times, seconds and text, as recordings and batch text write them. */
#ifndef OUT_FORMAT_H
#define OUT_FORMAT_H

#include "base/buf.h"
#include "model/columns.h"

#include <stddef.h>
#include <stdint.h>

enum { FORMAT_FIELD_MAX = 512 }; /* longer text is cut before it is quoted */

/* "2026-11-20T14:03:22.118Z" of ns since 1970; years 1970 to 9999. */
void format_time(struct buf *b, int64_t wall_ns);

/*
 * Numbers of columns that are not whole always have a point, so that a reader
 * that guesses types by the first rows sees what they are.
 */

/* Seconds to the nanosecond, at least "1.0". */
void format_seconds(struct buf *b, int64_t ns);

/* As buf_decimal, at least "1.0". */
void format_real(struct buf *b, double v, int digits);

/*
 * Text as recordings have it: without control bytes, cut to FORMAT_FIELD_MAX.
 * Returns its length.
 */
size_t format_clean(char out[FORMAT_FIELD_MAX + 1], const char *text);

/*
 * One CSV field of text: control bytes are dropped, and it is quoted only if
 * it needs it: a comma, a quote, or blanks at an end. A spreadsheet would
 * evaluate what begins with = + - @ (behind any apostrophes): it gets one more
 * apostrophe, which reading takes off again.
 */
void format_field(struct buf *b, const char *text);

/* What every JSON line begins with; tells an existing file's kind. */
#define JSON_LINE_BEGINS "{\"schema\":\"" COLUMN_SCHEMA_TEXT "\","

enum { JSON_GROWTH = 3 }; /* a byte that is no UTF-8 becomes three */

/* One string in its quotes, escaped; bytes that are no UTF-8 become U+FFFD. */
void json_string(struct buf *b, const char *s, size_t n);

/* An array of the words of "a;b"; [] for none. */
void json_words(struct buf *b, const char *words);

#endif
