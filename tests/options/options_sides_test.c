/* Words of ktop compare: two sides, and the floor of its verdicts. */
#include "options/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct options o;
static struct err e;

static bool
parse(const char *const *word)
{
	static char text[16][32]; /* borrowed by the options */
	char *argv[17];
	int argc = 0;

	for (; word[argc] != NULL && argc < 16; argc++) {
		(void)snprintf(text[argc], sizeof text[argc], "%s", word[argc]);
		argv[argc] = text[argc];
	}
	argv[argc] = NULL;
	return options_parse(&o, argc, argv, &e);
}

#define PARSE(...)                                                             \
	parse((const char *const[]){ "ktop", "compare", "a", "b", __VA_ARGS__, \
				     NULL })

static void
sides_are_parted_by_dashes(void **state)
{
	assert_true(PARSE("--", "-c", "d"));
	assert_int_equal(o.cmd.nargs, 4);
	assert_int_equal(o.cmd.split, 2);
	assert_string_equal(o.cmd.arg[2], "-c");
	assert_true(PARSE("c"));
	assert_int_equal(o.cmd.nargs, 3);
	assert_int_equal(o.cmd.split, 0);
}

static void
a_floor_is_a_percentage(void **state)
{
	assert_true(PARSE("--at-least", "2.5%"));
	assert_true(o.at_least_pct >= 2.5 && o.at_least_pct <= 2.5);
	assert_true(PARSE("--at-least=3"));
	assert_true(o.at_least_pct >= 3 && o.at_least_pct <= 3);
	assert_false(PARSE("--at-least=%"));
	assert_non_null(strstr(e.text, "percentage"));
	assert_false(PARSE("--at-least=-1"));
	assert_non_null(strstr(e.text, "percentage"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sides_are_parted_by_dashes),
		cmocka_unit_test(a_floor_is_a_percentage),
	};

	(void)setenv("XDG_CONFIG_HOME", "/nonexistent", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
