/* Builds text in the caller's memory, without allocation. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
	char *at;
	size_t len, size;
	bool full;
};

static inline struct buf
buf_over(char *at, size_t size)
{
	return (struct buf){ .at = at, .size = size };
}

static inline void
buf_char(struct buf *b, char c)
{
	if (b->len < b->size)
		b->at[b->len++] = c;
	else
		b->full = true;
}

void buf_bytes(struct buf *b, const char *s, size_t n);

static inline void
buf_str(struct buf *b, const char *s)
{
	buf_bytes(b, s, strlen(s));
}

void buf_u64(struct buf *b, uint64_t v);
void buf_i64(struct buf *b, int64_t v);

/* Writes exactly `decimals` (0 to 9) decimals, rounded half away from zero.
 * Writes nothing for NAN, and "inf" or "-inf" from a magnitude of 1e18 on. */
void buf_fixed(struct buf *b, double v, int decimals);

/* The text of FIXED exists until the enclosing block ends. */
enum { FIXED_SIZE = 32 };
const char *buf_fixed_text(char to[FIXED_SIZE], double v, int decimals);
#define FIXED(v, decimals) buf_fixed_text((char[FIXED_SIZE]){ 0 }, v, decimals)

/* Writes v rounded to `digits` (1 to 15) significant digits, without an
 * exponent or trailing zeros of decimals. Writes nothing for NAN. */
void buf_decimal(struct buf *b, double v, int digits);

void buf_blanks(struct buf *b, size_t n);

void buf_pad(struct buf *b, size_t from, size_t width);

/* Appends at most 1023 bytes. */
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* PRINTED cuts the text to PRINTED_SIZE - 1 bytes. It exists until the
 * enclosing block ends. */
enum { PRINTED_SIZE = 256 };
const char *buf_printed(char to[PRINTED_SIZE], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#define PRINTED(...) buf_printed((char[PRINTED_SIZE]){ 0 }, __VA_ARGS__)

/* Adds a NUL; if the memory is full, the NUL replaces the last byte. Returns
 * b->at. */
char *buf_cstr(struct buf *b);

#endif
