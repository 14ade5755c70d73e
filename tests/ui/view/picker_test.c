/* Choosing events one by one. */
#include "../says.h"
#include "ui/draw/keycode.h"
#include "ui/view/picker.h"

#include <string.h>

#include <cmocka.h>

static const struct event made_up[] = {
	{ .name = "A_MISS", .text = "a", .counters = 0x0e0 },
	{ .name = "B_MISS", .text = "of the cache", .counters = 0x0e0 },
	{ .name = "CYCLES", .counters = 0x1, .fixed = true },
	{ .name = "C_MISS", .counters = 0x0e0 },
	{ .name = "D_HIT", .counters = 0x0e0 },
	{ .name = "E_HIT", .counters = 0x3fc },
	{ .name = "LAST", .counters = 0x80 },
};
static const struct catalog catalog = { "test", made_up, 7, 0x3fc };

static void
keys(struct picker *p, const char *text)
{
	for (; *text != '\0'; text++)
		assert_int_equal(picker_key(p, *text, NULL), PICKER_STAYS);
}

UNIT(test_search_as_you_type)
{
	struct picker p;

	p = (struct picker){ .catalog = &catalog };
	assert_int_equal(picker_matches(&p), 7);
	keys(&p, "/miss");
	assert_int_equal(picker_matches(&p), 3);
	assert_string_equal(picker_match(&p, 1)->name, "B_MISS");
	assert_null(picker_match(&p, 3));
	keys(&p, "/CACHE"); /* another one; what it means counts too */
	assert_int_equal(picker_matches(&p), 1);
	keys(&p, "x");
	assert_int_equal(picker_matches(&p), 0);
	picker_key(&p, KEY_ERASE, NULL);
	assert_int_equal(picker_matches(&p), 1);
	keys(&p, " "); /* the next letter begins another search */
	assert_int_equal(p.chosen.n, 1);
	assert_int_equal(picker_matches(&p), 1);
	keys(&p, "hit");
	assert_string_equal(p.search, "hit");
	assert_int_equal(picker_matches(&p), 2);
	picker_key(&p, KEY_CTRL_U, NULL);
	assert_int_equal(picker_matches(&p), 7);
	keys(&p, "k");
	/* Esc first empties the search, then closes. */
	assert_int_equal(picker_key(&p, KEY_ESCAPE, NULL), PICKER_STAYS);
	assert_int_equal(picker_key(&p, KEY_ESCAPE, NULL), PICKER_CLOSES);
}

UNIT(test_what_does_not_fit_says_why)
{
	struct picker p;
	struct err e = { ERR_NONE, "" };

	p = (struct picker){ .catalog = &catalog };
	for (int i = 0; i < 2; i++) {
		keys(&p, " ");
		picker_key(&p, KEY_DOWN_ARROW, NULL);
	}
	picker_key(&p, ' ', &e); /* CYCLES */
	assert_says(e.text, "always counted");
	picker_key(&p, KEY_DOWN_ARROW, NULL);
	keys(&p, " ");
	assert_int_equal(p.chosen.n, 3);
	picker_key(&p, KEY_DOWN_ARROW, NULL);
	e = (struct err){ ERR_NONE, "" };
	picker_key(&p, ' ', &e); /* D_HIT: 5, 6 and 7 are taken */
	assert_int_equal(p.chosen.n, 3);
	assert_says(e.text, "A_MISS", "D_HIT", "5,6,7");
	assert_false(picker_fits(&p, &made_up[6], NULL));
	assert_true(picker_fits(&p, &made_up[5], NULL));
	/* one less makes room */
	picker_key(&p, KEY_TO_HOME, NULL);
	keys(&p, " ");
	assert_int_equal(p.chosen.n, 2);
	assert_true(picker_fits(&p, &made_up[4], NULL));
	assert_int_equal(picker_key(&p, KEY_RETURN, NULL), PICKER_COUNTS);
}

/* One key has one meaning: what was a key of the list is a letter, too. */
UNIT(test_letters_always_search)
{
	struct picker p;

	p = (struct picker){ .catalog = &catalog };
	keys(&p, " cfskj");
	assert_string_equal(p.search, "cfskj");
	assert_int_equal(p.chosen.n, 1);
	picker_key(&p, KEY_ESCAPE, NULL);
	assert_int_equal(picker_matches(&p), 7);
	/* What does not fit leaves the search as it is. */
	keys(&p, "cyc x");
	assert_string_equal(p.search, "cycx");
}

UNIT(test_an_empty_set_to_begin_with)
{
	struct picker p;
	struct eventset set = { .len = 2 };
	struct err e = { ERR_NONE, "" };

	set.slot[0].event = &made_up[0];
	set.slot[1].event = &made_up[5];
	p = (struct picker){ .catalog = &catalog };
	picker_in_force(&p, &set);
	assert_int_equal(p.chosen.n, 0);
	assert_int_equal(picker_counters_free(&p), 8);
	assert_int_equal(picker_key(&p, KEY_RETURN, &e), PICKER_SAYS);
	assert_says(e.text, "no event is selected");
	keys(&p, "+");
	assert_true(picker_has(&p, &made_up[0]) && picker_has(&p, &made_up[5]));
	assert_int_equal(picker_counters_free(&p), 6);
	keys(&p, "-");
	assert_int_equal(p.chosen.n, 0);
	/* one of the two is another set */
	keys(&p, " ");
	assert_int_equal(picker_key(&p, KEY_RETURN, &e), PICKER_COUNTS);
}

/* Keys may come faster than screens are drawn. */
UNIT(test_what_is_counted_may_come_later)
{
	struct picker p;
	struct eventset set = { .len = 1 };

	set.slot[0].event = &made_up[5];
	p = (struct picker){ .catalog = &catalog };
	keys(&p, "+");
	assert_int_equal(p.chosen.n, 0);
	picker_in_force(&p, &set);
	assert_int_equal(p.chosen.n, 1);
	keys(&p, "-");
	picker_in_force(&p, &set); /* once */
	assert_int_equal(p.chosen.n, 0);
}

UNIT(test_swap_in)
{
	struct picker p;
	struct err e = { ERR_NONE, "" };

	p = (struct picker){ .catalog = &catalog };
	for (unsigned i = 0; i < 4; i++)
		if (i != 2)
			p.chosen.event[p.chosen.n++] = &made_up[i];
	assert_null(picker_find_conflict(&p, &made_up[5])); /* it fits */
	assert_null(picker_find_conflict(&p, &made_up[2])); /* no counter's */
	assert_ptr_equal(picker_find_conflict(&p, &made_up[4]), &made_up[3]);
	assert_true(picker_makes_room(&p, &made_up[0], &made_up[4]));
	p.at = 4;
	assert_int_equal(picker_key(&p, '=', &e), PICKER_STAYS);
	assert_true(picker_has(&p, &made_up[4]));
	assert_false(picker_has(&p, &made_up[3]));
	assert_int_equal(p.chosen.n, 3);
	assert_int_equal(picker_key(&p, '=', &e), PICKER_SAYS);
	assert_says(e.text, "is already chosen");
	p.at = 5;
	assert_int_equal(picker_key(&p, '=', &e), PICKER_SAYS);
	assert_says(e.text, "counter is free for E_HIT");
	/* only 7 will do, and one of three is on it */
	assert_ptr_equal(picker_find_conflict(&p, &made_up[6]), &made_up[4]);
}

/* What others are divided by goes last. */
UNIT(test_instructions_are_not_swapped_out)
{
	static const struct event event[] = {
		{ .name = "A_MISS", .counters = 0x0c0 },
		{ .name = "INST_ALL", .counters = 0x0c0 },
		{ .name = "B_MISS", .counters = 0x0c0 },
	};
	static const struct catalog c = { "test", event, 3, 0x0ff };
	struct picker p;

	p = (struct picker){ .catalog = &c };
	p.chosen.event[p.chosen.n++] = &event[0];
	p.chosen.event[p.chosen.n++] = &event[1];
	assert_ptr_equal(picker_find_conflict(&p, &event[2]), &event[0]);
}

UNIT(test_what_the_system_would_refuse)
{
	static const uint64_t refused[1] = { 1u << 1 | 1u << 5 };
	struct picker p;
	struct err e = { ERR_NONE, "" };

	p = (struct picker){ .catalog = &catalog };
	assert_false(picker_refused(&p, &made_up[1])); /* nothing is known */
	p.refused = refused;
	p.nrefused = 5;
	assert_true(picker_refused(&p, &made_up[1]));
	assert_false(picker_refused(&p, &made_up[0]));
	assert_false(picker_refused(&p, &made_up[5])); /* behind the end */
	picker_key(&p, KEY_DOWN_ARROW, NULL);
	assert_int_equal(picker_key(&p, ' ', &e), PICKER_STAYS);
	assert_int_equal(p.chosen.n, 0);
	assert_int_equal(e.code, ERR_PERM);
	assert_says(e.text, "B_MISS cannot be counted");
}

UNIT(test_places)
{
	struct picker p;
	char text[40];

	p = (struct picker){ .catalog = &catalog };
	picker_format_places(&p, &made_up[0], text, sizeof text);
	assert_string_equal(text, "5 6 7");
	picker_format_places(&p, &made_up[2], text, sizeof text);
	assert_string_equal(text, "fixed");
	picker_format_places(&p, &made_up[5], text, sizeof text);
	assert_string_equal(text, "any");
	picker_format_places(&p, &made_up[6], text, sizeof text);
	assert_string_equal(text, "7");
}

/* Linux: counters up to the highest, and events that need none. */
UNIT(test_places_beside_free_ones)
{
	static const struct event event[] = {
		{ .name = "ANY", .counters = 0xff },
		{ .name = "HIGH", .counters = 0xc0 },
		{ .name = "NOWHERE", .counters = 0x100 },
		{ .name = "SLOTS", .counters = 1u << EVENT_FREE_FIRST },
		{ .name = "SWITCHES", .counters = 4u << EVENT_FREE_FIRST },
	};
	static const char *const want[] = { "any", "6 7", "none", "none",
					    "none" };
	static const struct catalog c = { "linux", event, 5,
					  7u << EVENT_FREE_FIRST | 0xff };
	struct picker p;
	char text[40];

	p = (struct picker){ .catalog = &c };
	assert_int_equal(picker_counters(&c), 0xff);
	for (unsigned i = 0; i < 5; i++) {
		picker_format_places(&p, &event[i], text, sizeof text);
		assert_string_equal(text, want[i]);
	}
	p.chosen.event[0] = &event[1];
	p.chosen.event[1] = &event[3];
	p.chosen.n = 2;
	assert_int_equal(picker_counters_used(&p), 1);
}

UNIT(test_a_name_keeps_it)
{
	struct picker p;
	struct eventset set = { .len = 1 };

	set.slot[0].event = &made_up[5];
	p = (struct picker){ .catalog = &catalog };
	picker_in_force(&p, &set);
	keys(&p, "+");
	assert_true(picker_has(&p, &made_up[5]));
	/* nothing changed: nothing to count */
	assert_int_equal(picker_key(&p, KEY_RETURN, NULL), PICKER_CLOSES);
	picker_key(&p, KEY_TAB, NULL);
	keys(&p, "my-Set 2!"); /* only what a section's name may have */
	assert_string_equal(p.chosen.name, "my-et2");
	picker_key(&p, KEY_ERASE, NULL);
	picker_key(&p, KEY_DOWN_ARROW, NULL);
	assert_int_equal(p.chosen.key, '9');
	picker_key(&p, KEY_UP_ARROW, NULL);
	assert_int_equal(p.chosen.key, 0);
	picker_key(&p, KEY_UP_ARROW, NULL);
	assert_int_equal(p.chosen.key, '1');
	assert_int_equal(picker_key(&p, KEY_RETURN, NULL), PICKER_COUNTS);
	assert_string_equal(p.chosen.name, "my-et");
}
