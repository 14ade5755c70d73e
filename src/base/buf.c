#include "base/buf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const double ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
			      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
			      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

void
buf_bytes(struct buf *b, const char *s, size_t n)
{
	size_t room = b->size - b->len;

	if (n > room) {
		n = room;
		b->full = true;
	}
	if (n > 0) /* s may be NULL if n is 0 */
		memcpy(b->at + b->len, s, n);
	b->len += n;
}

/* Writes m * 10^-point with `point` digits after the decimal point. */
static void
put_scaled(struct buf *b, uint64_t m, int point)
{
	char text[48], *at = text + sizeof text;

	for (int i = 0; i < point; i++, m /= 10)
		*--at = (char)('0' + m % 10);
	if (point > 0)
		*--at = '.';
	do {
		*--at = (char)('0' + m % 10);
		m /= 10;
	} while (m != 0);
	buf_bytes(b, at, (size_t)(text + sizeof text - at));
}

void
buf_u64(struct buf *b, uint64_t v)
{
	put_scaled(b, v, 0);
}

void
buf_i64(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_char(b, '-');
	buf_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/* Rounds v * scale half up, for v >= 0 and a product < 2^53. fma() gives the
 * rounding error of the product. */
static int64_t
round_scaled(double v, double scale)
{
	double p = v * scale;
	int64_t whole = (int64_t)p;
	double rest = p - (double)whole - 0.5;

	return whole + (rest > 0 || (rest == 0 && fma(v, scale, -p) >= 0));
}

void
buf_fixed(struct buf *b, double v, int decimals)
{
	int d = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
	double size = fabs(v);

	if (isnan(v))
		return;
	if (size >= 1e18) {
		buf_str(b, v < 0 ? "-inf" : "inf");
		return;
	}
	int64_t whole = (int64_t)size;
	int64_t part = round_scaled(size - (double)whole, ten[d]);

	if (v < 0 && (whole != 0 || part != 0))
		buf_char(b, '-');
	if (size < 1e6) {
		put_scaled(b, (uint64_t)(whole * (int64_t)ten[d] + part), d);
		return;
	}
	whole += part >= (int64_t)ten[d];
	buf_u64(b, (uint64_t)whole);
	if (d > 0)
		buf_printf(b, ".%0*lld", d,
			   (long long)(part % (int64_t)ten[d]));
}

const char *
buf_fixed_text(char to[FIXED_SIZE], double v, int decimals)
{
	struct buf b = buf_over(to, FIXED_SIZE);

	buf_fixed(&b, v, decimals);
	return buf_cstr(&b);
}

/* Drops trailing zeros after the decimal point; point may be negative. */
static void
put_shortest(struct buf *b, uint64_t m, int point)
{
	while (point > 0 && m % 10 == 0) {
		m /= 10;
		point--;
	}
	put_scaled(b, m, point);
	for (; point < 0; point++)
		buf_char(b, '0');
}

static void
decimal_slow(struct buf *b, double v, int digits)
{
	char text[40];
	uint64_t m = 0;
	int exponent = 0;
	bool negative = false, behind = false;

	snprintf(text, sizeof text, "%.*e", digits - 1, v);
	for (const char *s = text; *s != '\0'; s++) {
		if (*s == 'e')
			behind = true;
		else if (*s == '-' && behind)
			negative = true;
		else if (*s >= '0' && *s <= '9' && behind)
			exponent = exponent * 10 + (*s - '0');
		else if (*s >= '0' && *s <= '9')
			m = m * 10 + (uint64_t)(*s - '0');
	}
	if (negative)
		exponent = -exponent;
	put_shortest(b, m, digits - 1 - exponent);
}

void
buf_decimal(struct buf *b, double v, int digits)
{
	int d = digits < 1 ? 1 : digits > 15 ? 15 : digits;
	double a = fabs(v);

	if (isnan(v))
		return;
	if (v < 0)
		buf_char(b, '-');
	if (isinf(v)) {
		buf_str(b, "inf");
		return;
	}
	if (a == 0) {
		buf_char(b, '0');
		return;
	}
	if (a < 1e-6 || a >= 1e15) {
		decimal_slow(b, a, d);
		return;
	}
	int exponent = 0;

	if (a >= 1)
		while (a >= ten[exponent + 1])
			exponent++;
	else
		while (a * ten[-exponent] < 1)
			exponent--;
	int point = d - 1 - exponent;
	if (point < 0) {
		decimal_slow(b, a, d);
		return;
	}
	put_shortest(b, (uint64_t)round_scaled(a, ten[point]), point);
}

void
buf_blanks(struct buf *b, size_t n)
{
	for (; n > 0 && !b->full; n--)
		buf_char(b, ' ');
}

void
buf_pad(struct buf *b, size_t from, size_t width)
{
	if (b->len < from + width)
		buf_blanks(b, from + width - b->len);
}

void
buf_printf(struct buf *b, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	int n = vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof text) {
		n = (int)sizeof text - 1;
		b->full = true;
	}
	buf_bytes(b, text, (size_t)n);
}

const char *
buf_printed(char to[PRINTED_SIZE], const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(to, PRINTED_SIZE, fmt, ap);
	va_end(ap);
	return to;
}

char *
buf_cstr(struct buf *b)
{
	if (b->size == 0)
		return b->at;
	if (b->len == b->size) {
		b->len--;
		b->full = true;
	}
	b->at[b->len] = '\0';
	return b->at;
}
