/* Lines of /proc as they come, hostile ones among them. */
#include "source/perf/state.h"

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#define REST " 7 7 0 -1 4194304 1 2 3 4 50 60 7 8 20 0 3 0 12345 9 9\n"

static bool
parse(const char *text, struct proc_line *out)
{
	return proc_line_parse(text, strlen(text), out);
}

UNIT(an_ordinary_line)
{
	struct proc_line l;

	assert_true(parse("42 (cat) R 7" REST, &l));
	assert_int_equal(l.pid, 42);
	assert_string_equal(l.name, "cat");
	assert_int_equal(l.state, PROCESS_RUNS);
	assert_int_equal(l.parent, 7);
	assert_int_equal(l.user, 50);
	assert_int_equal(l.system, 60);
	assert_int_equal(l.threads, 3);
	assert_int_equal(l.start, 12345);
	assert_false(l.kernel);
	assert_true(parse(
		"2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 3 0 0 20 0 1 0 0 0\n",
		&l));
	assert_true(l.kernel);
	assert_int_equal(l.start, 0);
}

/* A name may look like the rest of the line. */
UNIT(a_name_of_brackets)
{
	struct proc_line l;

	assert_true(parse("7 (a) R 1 (\nx) S 1" REST, &l));
	assert_string_equal(l.name, "a) R 1 (\nx");
	assert_int_equal(l.state, PROCESS_SLEEPS);
	assert_int_equal(l.parent, 1);
	assert_true(parse("7 () S 1" REST, &l));
	assert_string_equal(l.name, "");
	assert_true(parse("7 (\033]0;x\a\377) Z 1" REST, &l));
	assert_string_equal(l.name, "\033]0;x\a\377");
	assert_int_equal(l.state, PROCESS_ENDED);
}

UNIT(a_long_name_is_cut)
{
	char text[300];
	struct proc_line l;

	snprintf(text, sizeof(text), "7 (%0100d) T 1" REST, 0);
	assert_true(parse(text, &l));
	assert_int_equal(strlen(l.name), PROCESS_NAME_SIZE - 1);
	assert_int_equal(l.state, PROCESS_STOPPED);
}

/* Cut anywhere, it is no line: a number may lack its last digits. */
UNIT(a_cut_line_is_none)
{
	static const char text[] = "42 (cat) R 7" REST;
	const char *start = strstr(text, "12345");
	struct proc_line l;

	for (size_t n = 0; n <= (size_t)(start - text) + 5; n++)
		assert_false(proc_line_parse(text, n, &l));
	assert_true(proc_line_parse(text, (size_t)(start - text) + 6, &l));
}

UNIT(numbers_that_do_not_fit)
{
	static const char *const bad[] = {
		"99999999999 (a) S 1" REST,
		"-1 (a) S 1" REST,
		"1 (a) S -1" REST,
		"1 (a) S 1 1 1 1 -1 0 0 0 0 0 18446744073709551616 0 0 0 20 0 1 0 5 0\n",
		"1 (a) S 1 1 1 1 -1 0 0 0 0 0 x 0 0 0 20 0 1 0 5 0\n",
		"1 (a) S 1 1 1 1 -1 0 0 0 0 0 1 0 0 0 20 0 1 0 99999999999999999999 0\n",
		"1 (a) S",
		"1 (a)",
		"1 (a",
		"1 a",
		"1",
		"",
		"\n",
	};
	struct proc_line l;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (parse(bad[i], &l))
			fail_msg("\"%s\" passed", bad[i]);
	assert_true(parse(
		"1 (a) S 1 1 1 1 -1 0 0 0 0 0 9223372036854775807 0 0 0 20 0 1 0 18446744073709551615 0\n",
		&l));
	assert_true(l.user == INT64_MAX);
	assert_true(l.start == UINT64_MAX);
}

UNIT(the_effective_user)
{
	uint32_t uid = 5;

	assert_true(proc_status_uid("Name:\tx\nUid:\t1000\t0\t3\t4\nGid:\t7\n",
				    &uid));
	assert_int_equal(uid, 0);
	assert_false(proc_status_uid("Name:\tUid:\n", &uid));
	assert_false(proc_status_uid("Name:\tx\nUid:\n", &uid));
	assert_int_equal(uid, 0);
}
