/* The key table, and keys out of a terminal's bytes. */
#include "ui/view/keys.h"
#include "ui/term/termkeys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
test_no_key_means_two_things(void **state)
{
	(void)state;
	for (unsigned i = 0; i < key_count; i++) {
		assert_true(key_table[i].code[0] != 0);
		assert_true(strlen(key_table[i].text) > 5);
		assert_true(strlen(key_table[i].keys) <= 5);
		for (unsigned k = 0; k < KEY_CODES && key_table[i].code[k] != 0;
		     k++)
			assert_int_equal(key_action(key_table[i].code[k]),
					 key_table[i].action);
	}
	assert_int_equal(key_action('~'), ACTION_NONE);
}

static void
test_keys_people_expect(void **state)
{
	static const struct {
		int code;
		enum action action;
	} row[] = {
		{ 'q', ACTION_QUIT },
		{ KEY_FUNCTION_10, ACTION_QUIT },
		{ KEY_CTRL_C, ACTION_QUIT },
		{ '?', ACTION_HELP },
		{ 'h', ACTION_HELP },
		{ KEY_FUNCTION_1, ACTION_HELP },
		{ KEY_ESCAPE, ACTION_CLOSE },
		{ ' ', ACTION_PAUSE },
		{ 'p', ACTION_PAUSE },
		{ '0', ACTION_PRESETS },
		{ '1', ACTION_PRESET },
		{ '5', ACTION_PRESET },
		{ '6', ACTION_PRESET },
		{ '9', ACTION_PRESET },
		{ '+', ACTION_INTERVAL },
		{ '-', ACTION_INTERVAL },
		{ KEY_CTRL_Z, ACTION_SUSPEND },
		{ 'd', ACTION_DELAY },
		{ 'l', ACTION_DENSE },
		{ KEY_FUNCTION_3, ACTION_FILTER },
		{ KEY_FUNCTION_4, ACTION_FILTER },
		{ KEY_FUNCTION_6, ACTION_SORT },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		assert_int_equal(key_action(row[i].code), row[i].action);
}

static void
test_quit_is_the_last_row_and_always_shown(void **state)
{
	(void)state;
	assert_int_equal(key_table[key_count - 1].action, ACTION_QUIT);
	assert_int_equal(key_table[key_count - 1].rank, 0);
	assert_non_null(key_table[key_count - 1].name);
}

/* A table of two rows that say the same, or a key that stands in two. */
static void
test_no_row_is_there_twice(void **state)
{
	(void)state;
	for (unsigned i = 0; i < key_count; i++)
		for (unsigned k = 0; k < i; k++) {
			assert_string_not_equal(key_table[i].text,
						key_table[k].text);
			assert_string_not_equal(key_table[i].keys,
						key_table[k].keys);
			for (unsigned c = 0; key_table[i].code[c] != 0; c++)
				for (unsigned d = 0; key_table[k].code[d] != 0;
				     d++)
					assert_int_not_equal(
						key_table[i].code[c],
						key_table[k].code[d]);
		}
}

static void
test_every_place_has_keys(void **state)
{
	const struct place_key *k;
	int before = -1;

	(void)state;
	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++) {
		/* those of one together, all of them */
		assert_in_range(k->place, before < 0 ? 0 : before, before + 1);
		assert_non_null(key_place_name[k->place]);
		before = (int)k->place;
	}
	assert_int_equal(before, KEY_PLACES - 1);
}

static void
test_sequences(void **state)
{
	static const struct {
		const char *bytes;
		int key;
		size_t used;
	} row[] = {
		{ "a", 'a', 1 },
		{ "\r", KEY_RETURN, 1 },
		{ "\x1bOR", KEY_FUNCTION_3, 3 },
		{ "\x1bOS", KEY_FUNCTION_4, 3 },
		{ "\x1b[17~", KEY_FUNCTION_6, 5 },
		{ "\x1b[[D", KEY_FUNCTION_4, 4 },
		{ "\n", KEY_RETURN, 1 },
		{ "\t", KEY_TAB, 1 },
		{ "\b", KEY_ERASE, 1 },
		{ "\177", KEY_ERASE, 1 },
		{ "\3", KEY_CTRL_C, 1 },
		{ "\033[A", KEY_UP_ARROW, 3 },
		{ "\033OA", KEY_UP_ARROW, 3 },
		{ "\033[Bx", KEY_DOWN_ARROW, 3 },
		{ "\033[5~", KEY_PAGE_UP, 4 },
		{ "\033[21~", KEY_FUNCTION_10, 5 },
		{ "\033[[A", KEY_FUNCTION_1, 4 },
		{ "\033[Z", KEY_BACK_TAB, 3 },
		/* not known, but whole: passed over */
		{ "\033[1;5A", KEY_NONE, 6 },
		{ "\033[<0;1;1m", KEY_NONE, 9 }, /* let go */
		{ "\033[<2;1;1M", KEY_NONE, 9 }, /* the right button */
		{ "\033[<0;1M", KEY_NONE, 7 },
		{ "\033[<0;0;1M", KEY_NONE, 9 },
		{ "\033[<0;99999;1M", KEY_NONE, 13 },
		/* the mouse, from 0 */
		{ "\033[<0;1;1M", KEY_MOUSE_CLICK, 9 },
		{ "\033[<0;80;24M", KEY_MOUSE_CLICK | 79 << 12 | 23, 11 },
		{ "\033[<64;1;2M", KEY_MOUSE_UP | 1, 10 },
		{ "\033[<65;300;2M", KEY_MOUSE_DOWN | 299 << 12 | 1, 12 },
		{ "\033x", KEY_NONE, 2 },
		{ "\303\244", KEY_NONE, 1 },
		/* may go on */
		{ "\033", KEY_NONE, 0 },
		{ "\033[", KEY_NONE, 0 },
		{ "\033O", KEY_NONE, 0 },
		{ "\033[1;", KEY_NONE, 0 },
	};

	(void)state;
	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		size_t used = 99;
		int key = termkeys_next((const unsigned char *)row[i].bytes,
					strlen(row[i].bytes), &used);

		if (key != row[i].key || used != row[i].used)
			fail_msg("row %u: key %d, used %zu", i, key, used);
	}
}

/* Whatever comes, bytes are used up or waited for, and never read beyond. */
static void
test_any_bytes(void **state)
{
	unsigned seed = 1;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		unsigned char at[6];
		size_t len = 1 + (seed >> 8) % sizeof at, used;

		for (size_t i = 0; i < len; i++) {
			seed = seed * 1103515245u + 12345u;
			at[i] = (unsigned char)(seed >> 18);
			if ((seed >> 16) % 5 == 0)
				at[i] = 27;
			else if ((seed >> 16 & 1) != 0)
				at[i] = (unsigned char)"[O~;A1"[(seed >> 20) %
								6];
		}
		termkeys_next(at, len, &used);
		assert_true(used <= len);
		if (used == 0)
			assert_int_equal(at[0], 27);
	}
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_no_key_means_two_things),
		cmocka_unit_test(test_keys_people_expect),
		cmocka_unit_test(test_quit_is_the_last_row_and_always_shown),
		cmocka_unit_test(test_no_row_is_there_twice),
		cmocka_unit_test(test_every_place_has_keys),
		cmocka_unit_test(test_sequences),
		cmocka_unit_test(test_any_bytes),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
