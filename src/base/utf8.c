#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool
is_continuation(const char *s, size_t i)
{
	return ((unsigned char)s[i] & 0xc0) == 0x80;
}

size_t
utf8_length(const char *s, size_t n)
{
	if (n == 0)
		return 0;
	unsigned char a = (unsigned char)s[0];
	size_t len = a < 0x80    ? 1
		     : a < 0xc2  ? 0
		     : a < 0xe0  ? 2
		     : a < 0xf0  ? 3
		     : a <= 0xf4 ? 4
				 : 0;

	if (len == 0 || len > n)
		return 0;
	for (size_t i = 1; i < len; i++)
		if (!is_continuation(s, i))
			return 0;
	unsigned char b = len > 1 ? (unsigned char)s[1] : 0;

	if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ||
	    (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f))
		return 0;
	return len;
}

uint32_t
utf8_code(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;
	uint32_t code = n < 2 ? p[0] : p[0] & (0x7fu >> n);

	for (size_t i = 1; i < n; i++)
		code = code << 6 | (p[i] & 0x3fu);
	return code;
}

static bool
is_control(const char *s, size_t len)
{
	unsigned char a = (unsigned char)s[0];

	if (len == 1)
		return a < ' ' || a == 0x7f;
	return len == 2 && a == 0xc2 && (unsigned char)s[1] < 0xa0;
}

/* U+202A to U+202E and U+2066 to U+2069 change the displayed order of text. */
static bool
is_bidi_control(const char *s, size_t len)
{
	unsigned char b = len == 3 ? (unsigned char)s[1] : 0;
	unsigned char c = len == 3 ? (unsigned char)s[2] : 0;

	return (unsigned char)s[0] == 0xe2 &&
	       ((b == 0x80 && c >= 0xaa && c <= 0xae) ||
		(b == 0x81 && c >= 0xa6 && c <= 0xa9));
}

static void
copy_cleaned(char *to, size_t size, const char *from, size_t n, bool turning)
{
	size_t at = 0;

	for (size_t i = 0; i < n;) {
		size_t len = utf8_length(from + i, n - i), put = len;
		const char *bytes = from + i;

		i += len > 0 ? len : 1;
		if (len > 0 && (is_control(bytes, len) ||
				(!turning && is_bidi_control(bytes, len))))
			continue;
		if (len == 0) {
			bytes = UTF8_REPLACEMENT;
			put = sizeof UTF8_REPLACEMENT - 1;
		}
		if (at + put + 1 > size)
			break;
		memcpy(to + at, bytes, put);
		at += put;
	}
	if (size > 0)
		to[at] = '\0';
}

void
utf8_clean(char *to, size_t size, const char *from, size_t n)
{
	copy_cleaned(to, size, from, n, true);
}

void
utf8_plain(char *to, size_t size, const char *from, size_t n)
{
	copy_cleaned(to, size, from, n, false);
}

static size_t
escape_byte(char out[4], unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	char letter = c == '\n' ? 'n' : c == '\t' ? 't' : c == '\r' ? 'r' : 'x';
	out[0] = '\\';
	out[1] = letter;
	if (letter != 'x')
		return 2;
	out[2] = hex[c >> 4];
	out[3] = hex[c & 15];
	return 4;
}

void
utf8_visible(char *to, size_t size, const char *from)
{
	size_t at = 0, n = strlen(from);

	for (size_t i = 0; i < n;) {
		size_t len = utf8_length(from + i, n - i), put = len;
		const char *bytes = from + i;
		char escaped[4];

		if (len == 0 || is_control(bytes, len) ||
		    is_bidi_control(bytes, len)) {
			put = escape_byte(escaped, (unsigned char)*bytes);
			bytes = escaped;
			len = 1;
		}
		if (at + put + 1 > size)
			break;
		memcpy(to + at, bytes, put);
		at += put;
		i += len;
	}
	if (size > 0)
		to[at] = '\0';
}
