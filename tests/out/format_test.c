#include "out/format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "model/columns.h"

static const char *
field(const char *text)
{
	static char out[2048];
	struct buf b = buf_over(out, sizeof out);

	format_field(&b, text);
	return buf_cstr(&b);
}

UNIT(plain_text_is_bare)
{
	assert_string_equal(field("Apple M1 Max"), "Apple M1 Max");
	assert_string_equal(field(""), "");
	assert_string_equal(field("a-b+c=d@e"), "a-b+c=d@e");
	assert_string_equal(field("caf\xc3\xa9"), "caf\xc3\xa9");
}

UNIT(special_text_is_quoted)
{
	assert_string_equal(field("a,b"), "\"a,b\"");
	assert_string_equal(field("say \"hi\""), "\"say \"\"hi\"\"\"");
	assert_string_equal(field(" a"), "\" a\"");
	assert_string_equal(field("a "), "\"a \"");
}

UNIT(formulas_get_an_apostrophe)
{
	assert_string_equal(field("=1+1"), "'=1+1");
	assert_string_equal(field("+1"), "'+1");
	assert_string_equal(field("-1"), "'-1");
	assert_string_equal(field("@SUM(A1)"), "'@SUM(A1)");
	assert_string_equal(field("=A,B"), "\"'=A,B\"");
	/* A dropped control byte must not hide one. */
	assert_string_equal(field("\t=1"), "'=1");
	/* What looks as if it was done already comes back as it was, too. */
	assert_string_equal(field("'=1"), "''=1");
	assert_string_equal(field("''@"), "'''@");
	assert_string_equal(field("'quoted'"), "'quoted'");
	assert_string_equal(field("'"), "'");
}

UNIT(control_bytes_are_dropped)
{
	assert_string_equal(field("a\nb\rc\td\x1b[31me\x7f"), "abcd[31me");
}

UNIT(long_text_is_cut)
{
	char text[4096];

	memset(text, '"', sizeof text - 1);
	text[sizeof text - 1] = '\0';
	assert_int_equal(strlen(field(text)), 2 * FORMAT_FIELD_MAX + 2);
}

static const char *
seconds(double s)
{
	static char out[64];
	struct buf b = buf_over(out, sizeof out);
	struct record r;

	record_seconds(&r, COLUMN_ELAPSED_S, s);
	if (r.known[COLUMN_ELAPSED_S])
		format_seconds(&b, r.v[COLUMN_ELAPSED_S].ns);
	return buf_cstr(&b);
}

UNIT(seconds_are_exact_to_the_nanosecond)
{
	assert_string_equal(seconds(1), "1.0");
	assert_string_equal(seconds(0), "0.0");
	assert_string_equal(seconds(0.25), "0.25");
	assert_string_equal(seconds(1.000000001), "1.000000001");
	assert_string_equal(seconds(86400.100000002), "86400.100000002");
	assert_string_equal(seconds(0.9999999996), "1.0");
	assert_string_equal(seconds(NAN), "");
}

/* Against the C library's calendar, over leap years and centuries. */
UNIT(time_is_as_gmtime_says)
{
	for (int64_t s = 0; s < 8000000000; s += 6543217) {
		time_t wall = (time_t)s;
		struct tm tm;
		char want[64], got[64];
		struct buf b = buf_over(got, sizeof got);

		assert_non_null(gmtime_r(&wall, &tm));
		assert_int_not_equal(strftime(want, sizeof want,
					      "%Y-%m-%dT%H:%M:%S.042Z", &tm),
				     0);
		format_time(&b, s * 1000000000 + 42999999);
		assert_string_equal(buf_cstr(&b), want);
	}
}
