/* Strict parsing: all of it or nothing. */
#include "base/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

UNIT(test_u64)
{
	static const char *const bad[] = { "",
					   "0x",
					   "-1",
					   "+1",
					   " 1",
					   "1 ",
					   "1a",
					   "0xg",
					   "18446744073709551616",
					   "0x10000000000000000" };
	uint64_t v = 99;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(parse_u64(bad[i], UINT64_MAX, &v));
	assert_int_equal(v, 99); /* untouched */
	assert_true(parse_u64("18446744073709551615", UINT64_MAX, &v));
	assert_int_equal(v, UINT64_MAX);
	assert_true(parse_u64("0xFFffFFffFFffFFff", UINT64_MAX, &v));
	assert_int_equal(v, UINT64_MAX);
	assert_true(parse_u64("0", 0, &v));
	assert_int_equal(v, 0);
	assert_false(parse_u64("1", 0, &v));
	assert_true(parse_u64("255", 255, &v));
	assert_false(parse_u64("256", 255, &v));
	assert_true(parse_u64("010", 255, &v));
	assert_int_equal(v, 10); /* no octal */
}

UNIT(test_duration)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = { { "2", 2000000000 },
		     { "0.5", 500000000 },
		     { "250ms", 250000000 },
		     { "1.5s", 1500000000 },
		     { "10m", 600000000000 },
		     { "500us", 500000 },
		     { "1h", 3600000000000 },
		     { "0.1ms", 100000 },
		     { "0.000000001", 1 },
		     { "0.0000000019", 1 },
		     { "1.25h", 4500000000000 },
		     { "0", 0 },
		     { "7ns", 7 } };
	static const char *const bad[] = { "",
					   "s",
					   "-1",
					   "1.",
					   ".5",
					   "1 s",
					   "1sec",
					   "1e3",
					   "1.5.5",
					   "9223372037",
					   "9999999h",
					   "0x10",
					   "99999999999999999999" };
	int64_t ns = 5;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(parse_duration(bad[i], &ns));
	assert_int_equal(ns, 5);
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_true(parse_duration(good[i].text, &ns));
		assert_int_equal(ns, good[i].ns);
	}
}

UNIT(test_double)
{
	static const char *const good[] = { "0",
					    "-0.5",
					    "1.25",
					    "100",
					    "3.141592653589793238462643383279",
					    "123456789012345678901234",
					    "0.1",
					    "0.000001",
					    "9007199254740993",
					    "-17.0" };
	static const char *const bad[] = { "",    "-",   ".5",  "5.", "01",
					   "+1",  "1e5", "1,5", " 1", "1 ",
					   "nan", "inf", "0x1", "--1" };
	double v = 7;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(parse_double(bad[i], &v));
	assert_true(v == 7);
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		assert_true(parse_double(good[i], &v));
		assert_true(v == strtod(good[i], NULL));
	}
}

static void
collect(void *arg, unsigned n)
{
	char *text = arg;
	size_t len = strlen(text);

	(void)snprintf(text + len, 128 - len, "%u ", n);
}

UNIT(test_list)
{
	static const struct {
		const char *text, *want;
	} good[] = { { "", "" },
		     { "\n", "" },
		     { "0", "0 " },
		     { "0-3,5,7-9\n", "0 1 2 3 5 7 8 9 " },
		     { "4-4", "4 " } };
	static const char *const bad[] = {
		"4-2",   "1,,2", "x",    "0-99999999",
		"1,",    ",1",   "1-",   "-1",
		"1-2-3", "0 1",  "1024", "99999999999999999999"
	};
	char text[128];

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		text[0] = '\0';
		assert_true(parse_list(good[i].text, 1023, collect, text));
		assert_string_equal(text, good[i].want);
	}
	text[0] = '\0';
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(parse_list(bad[i], 1023, collect, text));
	assert_string_equal(text, ""); /* nothing of a bad list */
}

static void
count_one(void *arg, unsigned n)
{
	unsigned *count = arg;

	assert_int_equal(n, *count);
	(*count)++;
}

UNIT(test_long_list)
{
	unsigned count = 0;

	assert_true(parse_list("0-1023", 1023, count_one, &count));
	assert_int_equal(count, 1024);
	count = UINT32_MAX - 1;
	assert_true(parse_list("4294967294-4294967295", UINT32_MAX, count_one,
			       &count));
	assert_int_equal(count, 0);
}

UNIT(clocks_are_minutes_and_seconds)
{
	static const char *const bad[] = { "",        "90",    "1:",
					   ":30",     "1:x",   "1:30s",
					   "1:2:3:4", "-1:30", "1:9999999999" };
	int64_t ns;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(parse_clock(bad[i], &ns));
	assert_true(parse_clock("1:30", &ns) && ns == 90000000000);
	assert_true(parse_clock("1:02:03", &ns) && ns == 3723000000000);
	assert_true(parse_clock("1000000:00:00", &ns) &&
		    ns == 3600000000000000000);
}
