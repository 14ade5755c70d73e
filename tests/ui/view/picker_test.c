/* Choosing events one by one. */
#include "ui/draw/keycode.h"
#include "ui/view/picker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
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

static void
test_search_as_you_type(void **state)
{
	struct picker p;

	(void)state;
	picker_open(&p, &catalog);
	assert_int_equal(picker_matches(&p), 7);
	keys(&p, "miss");
	assert_int_equal(picker_matches(&p), 3);
	assert_string_equal(picker_match(&p, 1)->name, "B_MISS");
	assert_null(picker_match(&p, 3));
	picker_key(&p, KEY_ESCAPE, NULL);
	keys(&p, "CACHE"); /* what it means counts too */
	assert_int_equal(picker_matches(&p), 1);
	keys(&p, "x");
	assert_int_equal(picker_matches(&p), 0);
	keys(&p, " "); /* nothing to choose: nothing happens */
	assert_int_equal(p.chosen.n, 0);
	picker_key(&p, KEY_ERASE, NULL);
	assert_int_equal(picker_matches(&p), 1);
	/* Esc first empties the search, then closes. */
	assert_int_equal(picker_key(&p, KEY_ESCAPE, NULL), PICKER_STAYS);
	assert_int_equal(picker_key(&p, KEY_ESCAPE, NULL), PICKER_CLOSES);
}

static void
test_what_does_not_fit_says_why(void **state)
{
	struct picker p;
	struct err e = { ERR_NONE, "" };

	(void)state;
	picker_open(&p, &catalog);
	for (int i = 0; i < 2; i++) {
		keys(&p, " ");
		picker_key(&p, KEY_DOWN_ARROW, NULL);
	}
	picker_key(&p, ' ', &e); /* CYCLES */
	assert_non_null(strstr(e.text, "always counted"));
	picker_key(&p, KEY_DOWN_ARROW, NULL);
	keys(&p, " ");
	assert_int_equal(p.chosen.n, 3);
	picker_key(&p, KEY_DOWN_ARROW, NULL);
	e = (struct err){ ERR_NONE, "" };
	picker_key(&p, ' ', &e); /* D_HIT: 5, 6 and 7 are taken */
	assert_int_equal(p.chosen.n, 3);
	assert_non_null(strstr(e.text, "A_MISS"));
	assert_non_null(strstr(e.text, "D_HIT"));
	assert_non_null(strstr(e.text, "5,6,7"));
	assert_false(picker_fits(&p, &made_up[6], NULL));
	assert_true(picker_fits(&p, &made_up[5], NULL));
	/* one less makes room */
	picker_key(&p, KEY_TO_HOME, NULL);
	keys(&p, " ");
	assert_int_equal(p.chosen.n, 2);
	assert_true(picker_fits(&p, &made_up[4], NULL));
	assert_int_equal(picker_key(&p, KEY_RETURN, NULL), PICKER_COUNTS);
}

static void
test_what_the_system_would_refuse(void **state)
{
	static const uint64_t refused[1] = { 1u << 1 | 1u << 5 };
	struct picker p;
	struct err e = { ERR_NONE, "" };

	(void)state;
	picker_open(&p, &catalog);
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
	assert_non_null(strstr(e.text, "B_MISS would be refused"));
}

static void
test_places(void **state)
{
	struct picker p;
	char text[40];

	(void)state;
	picker_open(&p, &catalog);
	picker_places(&p, &made_up[0], text, sizeof text);
	assert_string_equal(text, "5 6 7");
	picker_places(&p, &made_up[2], text, sizeof text);
	assert_string_equal(text, "fixed");
	picker_places(&p, &made_up[5], text, sizeof text);
	assert_string_equal(text, "any");
	picker_places(&p, &made_up[6], text, sizeof text);
	assert_string_equal(text, "7");
}

/* Linux: counters up to the highest, and events that need none. */
static void
test_places_beside_free_ones(void **state)
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

	(void)state;
	picker_open(&p, &c);
	assert_int_equal(picker_counters(&c), 0xff);
	for (unsigned i = 0; i < 5; i++) {
		picker_places(&p, &event[i], text, sizeof text);
		assert_string_equal(text, want[i]);
	}
	p.chosen.event[0] = &event[1];
	p.chosen.event[1] = &event[3];
	p.chosen.n = 2;
	assert_int_equal(picker_taken(&p), 1);
}

static void
test_a_name_keeps_it(void **state)
{
	struct picker p;
	struct eventset set = { .len = 1 };

	(void)state;
	set.slot[0].event = &made_up[5];
	picker_open(&p, &catalog);
	picker_start_from(&p, &set);
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

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_search_as_you_type),
		cmocka_unit_test(test_what_does_not_fit_says_why),
		cmocka_unit_test(test_what_the_system_would_refuse),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_places_beside_free_ones),
		cmocka_unit_test(test_a_name_keeps_it),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
