/* The key table, and keys out of a terminal's bytes. */
#include "ui/keys.h"
#include "ui/term/tty_inner.h"

#include <string.h>

#include <cmocka.h>

/* A row has codes, words and one function; a key stands in one row. */
UNIT(test_every_row_is_whole_and_no_key_means_two_things)
{
	for (const struct key *k = ui_keys; k->code[0] != 0; k++) {
		assert_true(strlen(k->text) > 5);
		assert_true(strlen(k->keys) <= 5);
		assert_int_equal((k->view != NULL) + (k->screen != NULL) +
					 (k->ask != NULL),
				 1);
		for (unsigned i = 0; i < KEY_CODES && k->code[i] != 0; i++)
			assert_ptr_equal(key_find(ui_keys, k->code[i]), k);
	}
	assert_null(key_find(ui_keys, '~'));
}

UNIT(test_keys_people_expect)
{
	static const struct {
		int code;
		const char *keys; /* of its row */
	} row[] = {
		{ 'q', "q" },
		{ KEY_FUNCTION_10, "q" },
		{ KEY_CTRL_C, "q" },
		{ '?', "?" },
		{ 'h', "?" },
		{ KEY_FUNCTION_1, "?" },
		{ KEY_ESCAPE, "Esc" },
		{ ' ', "space" },
		{ 'p', "space" },
		{ '0', "0" },
		{ '1', "1-9" },
		{ '5', "1-9" },
		{ '6', "1-9" },
		{ '9', "1-9" },
		{ '+', "+/-" },
		{ '-', "+/-" },
		{ KEY_CTRL_Z, "^Z" },
		{ 'd', "d" },
		{ 'l', "l" },
		{ KEY_FUNCTION_3, "F3" },
		{ KEY_FUNCTION_4, "F3" },
		{ KEY_FUNCTION_6, "s" },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++)
		assert_string_equal(key_find(ui_keys, row[i].code)->keys,
				    row[i].keys);
}

UNIT(test_quit_is_always_shown)
{
	const struct key *quit = key_find(ui_keys, 'q');

	assert_int_equal(quit->arg, UI_QUIT);
	assert_int_equal(quit->rank, 0);
	assert_non_null(quit->name);
	assert_int_equal(quit[1].code[0], 0); /* the last row */
}

/* What a replay has of its own is time; all else is as in the live program. */
UNIT(test_a_replay_keeps_what_keys_mean)
{
	static const struct {
		int code;
		const char *live; /* its row's keys; NULL: it has none */
	} row[] = {
		{ ' ', "space" },
		{ 'p', "space" },
		{ KEY_LEFT_ARROW, "left" },
		{ KEY_RIGHT_ARROW, "right" },
		{ '<', "<" },
		{ ',', "<" },
		{ '>', ">" },
		{ '.', ">" },
		{ KEY_TO_HOME, "Home" },
		{ KEY_TO_END, "End" },
		{ 'G', "End" },
		{ '[', NULL },
		{ ']', NULL },
		{ 'n', "n" },
		{ 'N', "N" },
		{ ':', ":" },
		{ 'b', ":" },
	};
	unsigned n = 0;

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		const struct key *k = key_find(ui_keys, row[i].code);

		assert_true(replay_key_find(row[i].code) != NULL);
		assert_int_equal(k != NULL, row[i].live != NULL);
		if (k != NULL)
			assert_string_equal(k->keys, row[i].live);
	}
	for (int code = 1; code < KEY_SIZE; code++)
		n += replay_key_find(code) != NULL;
	assert_int_equal(n, sizeof row / sizeof *row);
	/* themes and pages are reached there, too */
	assert_null(replay_key_find('T'));
	assert_null(replay_key_find(KEY_PAGE_UP));
}

/* A table of two rows that say the same. */
UNIT(test_no_row_is_there_twice)
{
	for (const struct key *a = ui_keys; a->code[0] != 0; a++)
		for (const struct key *b = ui_keys; b < a; b++) {
			assert_string_not_equal(a->text, b->text);
			assert_string_not_equal(a->keys, b->keys);
		}
}

UNIT(test_typing)
{
	char text[4] = "";

	key_type(text, sizeof text, KEY_ERASE);
	assert_string_equal(text, "");
	for (int i = 'a'; i <= 'e'; i++)
		key_type(text, sizeof text, i);
	assert_string_equal(text, "abc"); /* no more fits */
	key_type(text, sizeof text, KEY_ERASE);
	key_type(text, sizeof text, KEY_UP_ARROW);
	key_type(text, sizeof text, ' ');
	assert_string_equal(text, "ab ");
}

UNIT(test_every_place_has_keys)
{
	const struct place_key *k;
	int before = -1;

	for (unsigned i = 0; (k = key_of_place(i)) != NULL; i++) {
		/* those of one together, all of them */
		assert_in_range(k->place, before < 0 ? 0 : before, before + 1);
		assert_non_null(key_place_name[k->place]);
		before = (int)k->place;
	}
	assert_int_equal(before, KEY_PLACES - 1);
}

UNIT(test_sequences)
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
		/* letters beyond ASCII, and bytes that are none */
		{ "\303\244x", KEY_LETTER | 0xe4, 2 },
		{ "\350\250\210", KEY_LETTER | 0x8a08, 3 },
		{ "\360\237\221\251", KEY_LETTER | 0x1f469, 4 },
		{ "\342\200\256", KEY_NONE, 3 }, /* turns the direction */
		{ "\303x", KEY_NONE, 1 },
		{ "\377", KEY_NONE, 1 },
		{ "\244", KEY_NONE, 1 },
		{ "\300\257", KEY_NONE, 1 },
		{ "\355\240\200", KEY_NONE, 1 },
		/* may go on */
		{ "\033", KEY_NONE, 0 },
		{ "\033[", KEY_NONE, 0 },
		{ "\033O", KEY_NONE, 0 },
		{ "\033[1;", KEY_NONE, 0 },
		{ "\303", KEY_NONE, 0 },
		{ "\350\250", KEY_NONE, 0 },
		{ "\360\237\221", KEY_NONE, 0 },
	};

	for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
		size_t used = 99;
		int key = termkeys_next((const unsigned char *)row[i].bytes,
					strlen(row[i].bytes), &used);

		if (key != row[i].key || used != row[i].used)
			fail_msg("row %u: key %d, used %zu", i, key, used);
	}
}

/* Whatever comes, bytes are used up or waited for, and never read beyond. */
UNIT(test_any_bytes)
{
	unsigned seed = 1;

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
			assert_true(at[0] == 27 || (at[0] >= 0xc2 && len < 4));
	}
}

/* Letters are typed and taken away whole, and never cut for want of room. */
UNIT(test_letters_are_typed_whole)
{
	char text[8] = "";

	key_type(text, sizeof text, 'a');
	key_type(text, sizeof text, KEY_LETTER | 0xe4);
	key_type(text, sizeof text, KEY_LETTER | 0x8a08);
	assert_string_equal(text, "a\303\244\350\250\210");
	key_type(text, sizeof text,
		 KEY_LETTER | 0xe4); /* two bytes, room for one */
	assert_string_equal(text, "a\303\244\350\250\210");
	key_type(text, sizeof text, KEY_ERASE);
	assert_string_equal(text, "a\303\244");
	key_type(text, sizeof text, KEY_LETTER | 0x1f469);
	assert_string_equal(text, "a\303\244\360\237\221\251");
	key_type(text, sizeof text, KEY_ERASE);
	key_type(text, sizeof text, KEY_ERASE);
	assert_string_equal(text, "a");
	key_type(text, sizeof text, KEY_ERASE);
	key_type(text, sizeof text, KEY_ERASE);
	assert_string_equal(text, "");
}
