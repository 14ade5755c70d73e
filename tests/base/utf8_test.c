#include "base/utf8.h"

#include <string.h>

#include <cmocka.h>

/* Vectors after the table of well-formed byte sequences of Unicode, 3-7. */
UNIT(characters)
{
	static const struct {
		const char *s;
		size_t n, want;
	} v[] = {
		{ "", 0, 0 },
		{ "a", 1, 1 },
		{ "\x7f", 1, 1 },
		{ "\x80", 1, 0 },
		{ "\xc1\xbf", 2, 0 },
		{ "\xc2\x80", 2, 2 },
		{ "\xc2", 1, 0 },
		{ "\xe0\x9f\xbf", 3, 0 },
		{ "\xe0\xa0\x80", 3, 3 },
		{ "\xed\x9f\xbf", 3, 3 },
		{ "\xed\xa0\x80", 3, 0 },
		{ "\xf0\x8f\xbf\xbf", 4, 0 },
		{ "\xf0\x90\x80\x80", 4, 4 },
		{ "\xf4\x8f\xbf\xbf", 4, 4 },
		{ "\xf4\x90\x80\x80", 4, 0 },
		{ "\xf5\x80\x80\x80", 4, 0 },
		{ "\xe2\x82\x41", 3, 0 },
	};

	for (unsigned i = 0; i < sizeof v / sizeof *v; i++)
		if (utf8_length(v[i].s, v[i].n) != v[i].want)
			fail_msg("vector %u", i);
}

UNIT(cleaning)
{
	char to[12];

	utf8_clean(to, sizeof to, "a\n\x1b[1mb\x7f\xc2\x9b", 10);
	assert_string_equal(to, "a[1mb");
	utf8_clean(to, sizeof to, "\xff-", 2);
	assert_string_equal(to, UTF8_REPLACEMENT "-");
	/* Cut between characters only. */
	utf8_clean(to, 4, "ab\xe2\x82\xac", 5);
	assert_string_equal(to, "ab");
	utf8_clean(to, sizeof to,
		   "a\xe2\x80\xae"
		   "b\n",
		   6);
	assert_string_equal(to, "a\xe2\x80\xae"
				"b");
	utf8_plain(to, sizeof to,
		   "a\xe2\x80\xae"
		   "b\n",
		   6);
	assert_string_equal(to, "ab");
}

UNIT(visible)
{
	static const struct {
		const char *from, *want;
	} v[] = {
		{ "plain: a\\b", "plain: a\\b" },
		{ "r\x1b[31m\x07", "r\\x1b[31m\\x07" },
		{ "a\nb\tc\rd\x7f", "a\\nb\\tc\\rd\\x7f" },
		/* C1: as a byte, and as UTF-8 */
		{ "\x9b"
		  "1m",
		  "\\x9b1m" },
		{ "\xc2\x9b"
		  "1m",
		  "\\xc2\\x9b1m" },
		{ "\xc3\xa4\xe2\x82\xac", "\xc3\xa4\xe2\x82\xac" },
		{ "\xe2\x80\xae!", "\\xe2\\x80\\xae!" },
		{ "\xe2\x82", "\\xe2\\x82" },
	};
	char to[64];

	for (unsigned i = 0; i < sizeof v / sizeof *v; i++) {
		utf8_visible(to, sizeof to, v[i].from);
		assert_string_equal(to, v[i].want);
	}
	/* No part of a character or of an escape. */
	utf8_visible(to, 4, "a\x1b");
	assert_string_equal(to, "a");
	utf8_visible(to, 4, "ab\xc3\xa4");
	assert_string_equal(to, "ab");
}
