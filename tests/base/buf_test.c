/* The bounded text builder, numbers above all. */
#include "base/buf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *
fixed(double v, int decimals)
{
	static char text[64];
	struct buf b = buf_over(text, sizeof text);

	buf_fixed(&b, v, decimals);
	return buf_cstr(&b);
}

static const char *
decimal(double v, int digits)
{
	static char text[400];
	struct buf b = buf_over(text, sizeof text);

	buf_decimal(&b, v, digits);
	return buf_cstr(&b);
}

UNIT(test_bounds)
{
	char text[8];
	struct buf b = buf_over(text, sizeof text);

	memset(text, '#', sizeof text);
	buf_str(&b, "hello");
	assert_false(b.full);
	buf_str(&b, " world");
	assert_true(b.full);
	assert_int_equal(b.len, 8);
	assert_memory_equal(text, "hello wo", 8);
	assert_string_equal(buf_cstr(&b), "hello w");
	b = buf_over(text, 0);
	buf_char(&b, 'x');
	buf_str(&b, "");
	buf_bytes(&b, "abc", 3);
	assert_true(b.full);
	assert_int_equal(b.len, 0);
	assert_ptr_equal(buf_cstr(&b), text);
}

UNIT(test_integers)
{
	char text[64];
	struct buf b = buf_over(text, sizeof text);

	buf_u64(&b, 0);
	buf_char(&b, ' ');
	buf_u64(&b, UINT64_MAX);
	buf_char(&b, ' ');
	buf_i64(&b, INT64_MIN);
	buf_char(&b, ' ');
	buf_i64(&b, -1);
	assert_string_equal(buf_cstr(&b),
			    "0 18446744073709551615 -9223372036854775808 -1");
}

UNIT(test_fixed)
{
	assert_string_equal(fixed(0, 2), "0.00");
	assert_string_equal(fixed(3.14159, 2), "3.14");
	assert_string_equal(fixed(0.5, 0), "1"); /* half away from zero */
	assert_string_equal(fixed(-0.5, 0), "-1");
	assert_string_equal(fixed(2.5, 0), "3");
	assert_string_equal(fixed(0.125, 2), "0.13");
	assert_string_equal(fixed(0.995, 2), "0.99"); /* it is below .995 */
	assert_string_equal(fixed(1.005, 2), "1.00");
	assert_string_equal(fixed(9.999, 2), "10.00");
	assert_string_equal(fixed(-0.001, 2), "0.00");
	assert_string_equal(fixed(NAN, 2), "");
	assert_string_equal(fixed(INFINITY, 2), "inf");
	assert_string_equal(fixed(-1e19, 2), "-inf");
	assert_string_equal(fixed(999999999999999999.0, 0), "inf");
	assert_string_equal(fixed(123456789012345.0, 3), "123456789012345.000");
	assert_string_equal(fixed(1e-9, 9), "0.000000001");
}

UNIT(test_decimal)
{
	assert_string_equal(decimal(0, 6), "0");
	assert_string_equal(decimal(1, 6), "1");
	assert_string_equal(decimal(1.5, 6), "1.5");
	assert_string_equal(decimal(-0.25, 6), "-0.25");
	assert_string_equal(decimal(1.0 / 3, 6), "0.333333");
	assert_string_equal(decimal(2.0 / 3, 3), "0.667");
	assert_string_equal(decimal(1000, 6), "1000");
	assert_string_equal(decimal(123456789, 3), "123000000");
	assert_string_equal(decimal(999.9996, 6), "1000");
	assert_string_equal(decimal(0.000012345, 3), "0.0000123");
	assert_string_equal(decimal(1e-12, 6), "0.000000000001");
	assert_string_equal(decimal(1e20, 6), "100000000000000000000");
	assert_string_equal(decimal(0.1, 15), "0.1");
	assert_string_equal(decimal(NAN, 6), "");
	assert_string_equal(decimal(-INFINITY, 6), "-inf");
}

/* Against printf, whose rounding is exact, where there is no tie. */
UNIT(test_against_printf)
{
	uint64_t seed = 42;
	char want[400];

	for (int i = 0; i < 200000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		double v = (double)(seed >> 11) * 0x1p-53 *
			   pow(10, (double)(seed % 13) - 4);
		int d = (int)(seed >> 20 & 0xffff) % 10;

		(void)snprintf(want, sizeof want, "%.*f", d, v);
		assert_string_equal(fixed(v, d), want);
		d = 1 + (int)(seed >> 24 & 0xffff) % 15;
		(void)snprintf(want, sizeof want, "%.*e", d - 1, v);
		/* The same value to `d` digits, however it is written. */
		assert_true(strtod(decimal(v, d), NULL) == strtod(want, NULL));
	}
}

UNIT(test_pad_and_printf)
{
	char text[16];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "ab");
	buf_pad(&b, 1, 4);
	buf_char(&b, '|');
	assert_string_equal(buf_cstr(&b), "ab   |");
	buf_pad(&b, 0, 3); /* already wider */
	assert_int_equal(b.len, 6);
	buf_printf(&b, "%d-%s", 7, "x");
	assert_string_equal(buf_cstr(&b), "ab   |7-x");
	buf_printf(&b, "%s", "0123456789");
	assert_true(b.full);
	assert_int_equal(b.len, 16);
	buf_pad(&b, 0, 100);
	assert_int_equal(b.len, 16);
}
