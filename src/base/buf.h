/* A bounded text builder over the caller's memory: no allocation, no locale. */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* at[0..len) is the text, not terminated; `full` once something was cut. */
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

/* Inline, so that the length of a literal is known. */
static inline void
buf_str(struct buf *b, const char *s)
{
	buf_bytes(b, s, strlen(s));
}

void buf_u64(struct buf *b, uint64_t v);
void buf_i64(struct buf *b, int64_t v);

/*
 * v with exactly `decimals` (0 to 9) digits behind a point, rounded half away
 * from zero; nothing for NAN; at most 18 digits before the point, else "inf".
 */
void buf_fixed(struct buf *b, double v, int decimals);

/* The text that buf_fixed gives, for printf: in memory of the block. */
enum { FIXED_SIZE = 32 };
const char *buf_fixed_text(char to[FIXED_SIZE], double v, int decimals);
#define FIXED(v, decimals) buf_fixed_text((char[FIXED_SIZE]){ 0 }, v, decimals)

/*
 * The shortest plain decimal of v with at most `digits` (1 to 15) significant
 * digits, no exponent and no trailing zeros; nothing for NAN.
 */
void buf_decimal(struct buf *b, double v, int digits);

void buf_blanks(struct buf *b, size_t n);

/* Pads with blanks up to column `width` counted from position `from`. */
void buf_pad(struct buf *b, size_t from, size_t width);

/* snprintf into what room is left. For places outside the tick. */
void buf_printf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* What printf writes, cut to this size: in memory of the block. */
enum { PRINTED_SIZE = 256 };
const char *buf_printed(char to[PRINTED_SIZE], const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
#define PRINTED(...) buf_printed((char[PRINTED_SIZE]){ 0 }, __VA_ARGS__)

/* NUL-terminates inside the memory (cutting a byte if need be); returns at. */
char *buf_cstr(struct buf *b);

#endif
