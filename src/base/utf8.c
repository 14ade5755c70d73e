#include "base/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool
follows(const char *s, size_t i)
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
		if (!follows(s, i))
			return 0;
	unsigned char b = len > 1 ? (unsigned char)s[1] : 0;

	if ((a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ||
	    (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f))
		return 0;
	return len;
}

static bool
is_control(const char *s, size_t len)
{
	unsigned char a = (unsigned char)s[0];

	if (len == 1)
		return a < ' ' || a == 0x7f;
	return len == 2 && a == 0xc2 && (unsigned char)s[1] < 0xa0;
}

void
utf8_clean(char *to, size_t size, const char *from, size_t n)
{
	size_t at = 0;

	for (size_t i = 0; i < n;) {
		size_t len = utf8_length(from + i, n - i), put = len;
		const char *bytes = from + i;

		i += len > 0 ? len : 1;
		if (len > 0 && is_control(bytes, len))
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
