#include "base/cells.h"

#include <cmocka.h>

UNIT(letters_have_cells)
{
	assert_int_equal(cells_of('a'), 1);
	assert_int_equal(cells_of(0xe9), 1);
	assert_int_equal(cells_of(0x1ea1), 1);  /* Vietnamese */
	assert_int_equal(cells_of(0x20ac), 1);  /* euro */
	assert_int_equal(cells_of(0xff76), 1);  /* a narrow kana */
	assert_int_equal(cells_of(0x8ba1), 2);  /* Han */
	assert_int_equal(cells_of(0x9fff), 2);  /* the last of them */
	assert_int_equal(cells_of(0xd55c), 2);  /* Hangul */
	assert_int_equal(cells_of(0x30ab), 2);  /* kana */
	assert_int_equal(cells_of(0x1f600), 2); /* emoji */
	assert_int_equal(cells_of(0x20000), 2);
}

UNIT(what_acts_or_is_not_seen_is_never_sent)
{
	static const uint32_t code[] = {
		0,      0x1b,   0x7f,    0x85,    0x9b,    0xad,
		0x301,  0x5d0,  0x61c,   0x1160,  0x200b,  0x200d,
		0x200e, 0x202a, 0x202e,  0x2060,  0x2066,  0x2069,
		0x3099, 0x3164, 0xd800,  0xe000,  0xfeff,  0xfe0f,
		0xfff9, 0xfffe, 0x1f1e6, 0x1f3fb, 0xe0001, 0x110000,
	};

	for (unsigned i = 0; i < sizeof code / sizeof *code; i++)
		assert_int_equal(cells_of(code[i]), 0);
}

/* One cell or two: older tables of terminals have them as signs. */
UNIT(what_became_emoji_later_is_never_sent)
{
	static const uint32_t code[] = { 0x231a, 0x23f3, 0x2614, 0x26a1,
					 0x2705, 0x274c, 0x2b50, 0x2b55 };

	for (unsigned i = 0; i < sizeof code / sizeof *code; i++)
		assert_int_equal(cells_of(code[i]), 0);
}

UNIT(only_joiners_forms_and_shades_dress)
{
	assert_true(cells_is_modifier(0x200d));
	assert_true(cells_is_modifier(0xfe0f));
	assert_true(cells_is_modifier(0x1f3ff));
	assert_false(cells_is_modifier(0x200b));
	assert_false(cells_is_modifier(0x202e));
	assert_false(cells_is_modifier(0x1f400));
}

UNIT(texts_take_cells)
{
	unsigned n;

	assert_int_equal(cells_wide(""), 0);
	assert_int_equal(cells_wide("ada"), 3);
	assert_int_equal(cells_wide("\xc3\xa9"), 1);
	assert_int_equal(cells_wide("e\xcc\x81t"), 2);
	assert_int_equal(cells_wide("\xe4\xb8\xad\xe6\x96\x87"), 4);
	assert_int_equal(cells_wide("\xf0\x9f\x98\x80"), 2);
	assert_int_equal(cells_wide("\xff\xe4\xb8"), 3); /* no characters */
	assert_int_equal(cells_wide("\xe2\x9a\xa1"), 1); /* not agreed on */
	/* A wide letter is whole or not there; signs stay with theirs. */
	assert_int_equal(cells_fit("a\xe4\xb8\xad", 2, &n), 1);
	assert_int_equal(n, 1);
	assert_int_equal(cells_fit("a\xe4\xb8\xad", 3, &n), 4);
	assert_int_equal(n, 3);
	assert_int_equal(cells_fit("e\xcc\x81t", 1, &n), 3);
	assert_int_equal(n, 1);
	assert_int_equal(cells_fit("ada", 0, &n), 0);
	assert_int_equal(n, 0);
}
