#include "base/buf.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Powers that a double holds exactly (up to 10^22). */
static const double ten[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
			      1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
			      1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };

enum { SHORT = 8 };

void
buf_bytes(struct buf *b, const char *s, size_t n)
{
	size_t room = b->size - b->len;

	if (n > room) {
		n = room;
		b->full = true;
	}
	char *to = b->at + b->len;

	b->len += n;
	if (n > SHORT) {
		memcpy(to, s, n);
		return;
	}
	/* Most are a few bytes: less than it takes to call memcpy. */
	for (; n > 0; n--)
		*to++ = *s++;
}

/* The digits of v, at least `least` of them, at the end of `digit`. */
static unsigned
digits_of(uint64_t v, unsigned least, char digit[20])
{
	unsigned n = 0;

	while (v != 0 || n < least) {
		digit[19 - n++] = (char)('0' + v % 10);
		v /= 10;
	}
	return n;
}

static void
put_digits(struct buf *b, uint64_t v, unsigned least)
{
	char digit[20];
	unsigned n = digits_of(v, least, digit);

	buf_bytes(b, digit + 20 - n, n);
}

void
buf_u64(struct buf *b, uint64_t v)
{
	if (v < 10) {
		buf_char(b, (char)('0' + v));
	} else if (v < 100) {
		buf_char(b, (char)('0' + v / 10));
		buf_char(b, (char)('0' + v % 10));
	} else {
		put_digits(b, v, 1);
	}
}

void
buf_i64(struct buf *b, int64_t v)
{
	if (v < 0)
		buf_char(b, '-');
	buf_u64(b, v < 0 ? 0 - (uint64_t)v : (uint64_t)v);
}

/*
 * v * scale to the nearest integer, halves up, as if the product were exact:
 * fma gives the part that the multiplication rounded away. v >= 0; the product
 * below 2^53. Signed, which a double becomes in one step.
 */
static int64_t
round_scaled(double v, double scale)
{
	double p = v * scale;
	int64_t whole = (int64_t)p;
	double rest = p - (double)whole - 0.5;
	int64_t up = rest > 0; /* as often as not: nothing to jump over */

	if (rest == 0)
		up = fma(v, scale, -p) >= 0;
	return whole + up;
}

static void
put_fixed(struct buf *b, bool minus, uint64_t whole, uint32_t part,
	  unsigned decimals)
{
	char text[40], *at = text + sizeof text; /* from the end */

	for (unsigned i = 0; i < decimals; i++, part /= 10)
		*--at = (char)('0' + part % 10);
	if (decimals > 0)
		*--at = '.';
	do {
		*--at = (char)('0' + whole % 10);
		whole /= 10;
	} while (whole != 0);
	if (minus)
		*--at = '-';
	buf_bytes(b, at, (size_t)(text + sizeof text - at));
}

static void
fixed_long(struct buf *b, double v, unsigned d)
{
	double size = fabs(v);

	if (!(size < 1e18)) {
		buf_str(b, v < 0 ? "-inf" : "inf");
		return;
	}
	int64_t whole = (int64_t)size, one = (int64_t)ten[d];
	int64_t part = round_scaled(size - (double)whole, ten[d]);

	if (part >= one) {
		part -= one;
		whole++;
	}
	/* Nine digits at most. */
	put_fixed(b, v < 0 && (whole != 0 || part != 0), (uint64_t)whole,
		  (uint32_t)part, d);
}

unsigned
buf_short(char *to, double v, int decimals)
{
	static const char pair[] = "00010203040506070809"
				   "10111213141516171819"
				   "20212223242526272829"
				   "30313233343536373839"
				   "40414243444546474849"
				   "50515253545556575859"
				   "60616263646566676869"
				   "70717273747576777879"
				   "80818283848586878889"
				   "90919293949596979899";
	double size = fabs(v);

	/* Below 100 when rounded, too. */
	if (!(size < 99) || (unsigned)decimals > 2)
		return 0;
	double p = size * ten[decimals];
	int32_t m = (int32_t)p;
	double rest = p - m - 0.5;

	if (!(rest < 0 || rest > 0)) /* only the exact product tells */
		return 0;
	m += rest > 0;
	char *at = to;
	int32_t whole = decimals == 0 ? m : decimals == 1 ? m / 10 : m / 100;

	if (v < 0 && m != 0)
		*at++ = '-';
	if (whole >= 10)
		*at++ = pair[2 * whole];
	*at++ = (char)('0' + whole % 10);
	if (decimals == 2) {
		*at = '.';
		memcpy(at + 1, &pair[2 * (m - whole * 100)], 2);
		at += 3;
	} else if (decimals == 1) {
		at[0] = '.';
		at[1] = (char)('0' + m - whole * 10);
		at += 2;
	}
	return (unsigned)(at - to);
}

static void
fixed_any(struct buf *b, double v, int decimals)
{
	if (!isnan(v))
		fixed_long(b, v,
			   decimals < 0   ? 0
			   : decimals > 9 ? 9
					  : (unsigned)decimals);
}

void
buf_fixed(struct buf *b, double v, int decimals)
{
	unsigned n = b->size - b->len >= BUF_SHORT_MOST
			     ? buf_short(b->at + b->len, v, decimals)
			     : 0;

	if (n > 0)
		b->len += n;
	else
		fixed_any(b, v, decimals);
}

const char *
buf_fixed_text(char to[FIXED_SIZE], double v, int decimals)
{
	struct buf b = buf_over(to, FIXED_SIZE);

	buf_fixed(&b, v, decimals);
	return buf_cstr(&b);
}

bool
buf_fixed_right(struct buf *b, double v, int decimals, size_t width)
{
	enum { LONGEST = sizeof "99.12" - 1 };
	if (!(v >= 0 && v < 99) || decimals < 0 || decimals > 2 ||
	    width < LONGEST || b->size - b->len < width)
		return false;
	uint32_t m = (uint32_t)round_scaled(v, ten[decimals]), whole = m;

	buf_blanks(b, width);
	char *to = b->at + b->len; /* from the end */

	for (int i = 0; i < decimals; i++, whole /= 10)
		*--to = (char)('0' + whole % 10);
	if (decimals > 0)
		*--to = '.';
	*--to = (char)('0' + whole % 10);
	*--to = whole >= 10 ? (char)('0' + whole / 10) : ' ';
	return true;
}

/* m * 10^-point without an exponent and without trailing zeros. */
static void
put_scaled(struct buf *b, uint64_t m, int point)
{
	while (point > 0 && m % 10 == 0) {
		m /= 10;
		point--;
	}
	char digit[20];
	int n = (int)digits_of(m, 1, digit);
	const char *at = digit + 20 - n;

	if (point <= 0) {
		buf_bytes(b, at, (size_t)n);
		for (; point < 0; point++)
			buf_char(b, '0');
		return;
	}
	if (n > point)
		buf_bytes(b, at, (size_t)(n - point));
	else
		buf_char(b, '0');
	buf_char(b, '.');
	for (int i = n; i < point; i++)
		buf_char(b, '0');
	if (n > point)
		buf_bytes(b, at + n - point, (size_t)point);
	else
		buf_bytes(b, at, (size_t)n);
}

/* Any magnitude, by way of "d.ddde+dd"; only digits are taken from it. */
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
	put_scaled(b, m, digits - 1 - exponent);
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
	if (point < 0) { /* more digits before the point than wanted */
		decimal_slow(b, a, d);
		return;
	}
	put_scaled(b, (uint64_t)round_scaled(a, ten[point]), point);
}

void
buf_blanks(struct buf *b, size_t n)
{
	static const char blank[] = "        ";

	/* Where there is room some more are put, without counting them. */
	if (n <= sizeof blank - 1 && b->size - b->len >= sizeof blank - 1) {
		memcpy(b->at + b->len, blank, sizeof blank - 1);
		b->len += n;
		return;
	}
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
	char text[512]; /* the terminating NUL must not need room in b */
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
