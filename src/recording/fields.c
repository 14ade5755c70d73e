#include "recording/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool
is_ascii_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
parse_all_digits(const char *s, size_t n, size_t *at, uint64_t *out)
{
	uint64_t v = 0;
	size_t i = *at, sure = i + 19 < n ? i + 19 : n;

	for (; i < sure && is_ascii_digit(s[i]); i++)
		v = v * 10 + (uint64_t)(s[i] - '0');
	for (; i < n && is_ascii_digit(s[i]); i++) {
		unsigned d = (unsigned)(s[i] - '0');

		if (v > (UINT64_MAX - d) / 10)
			return false;
		v = v * 10 + d;
	}
	if (i == *at)
		return false;
	*at = i;
	*out = v;
	return true;
}

static bool
rest_is_zero_fraction(const char *s, size_t n, size_t at)
{
	if (at == n)
		return true;
	if (s[at++] != '.')
		return false;
	while (at < n && s[at] == '0')
		at++;
	return at == n;
}

bool
recording_parse_count(const char *s, size_t n, uint64_t *out)
{
	size_t at = 0;

	return parse_all_digits(s, n, &at, out) &&
	       rest_is_zero_fraction(s, n, at);
}

bool
recording_parse_difference(const char *s, size_t n, uint64_t *out)
{
	bool negative = n > 0 && s[0] == '-';

	if (!recording_parse_count(s + negative, n - negative, out))
		return false;
	if (negative && *out > (uint64_t)INT64_MAX + 1)
		return false;
	*out = negative ? 0 - *out : *out;
	return true;
}

bool
recording_parse_real(const char *s, size_t n, double *out)
{
	char text[64], *end;

	if (n == 0 || n >= sizeof text || memchr(s, '\0', n) != NULL ||
	    !(is_ascii_digit(s[0]) || s[0] == '-' || s[0] == '.'))
		return false;
	memcpy(text, s, n);
	text[n] = '\0';
	if (strspn(text, "0123456789.eE+-") != n)
		return false;
	*out = strtod(text, &end); /* LC_NUMERIC is "C" */
	return *end == '\0' && isfinite(*out);
}

bool
recording_parse_seconds(const char *s, size_t n, int64_t *ns)
{
	uint64_t whole, part = 0;
	size_t at = 0, places = 0;
	double real;

	if (!parse_all_digits(s, n, &at, &whole) || whole > 9000000000u)
		return false;
	if (at < n && s[at] == '.') {
		for (at++; at < n && is_ascii_digit(s[at]); at++, places++)
			if (places < 9)
				part = part * 10 + (uint64_t)(s[at] - '0');
		for (; places < 9; places++)
			part *= 10;
	}
	*ns = (int64_t)(whole * 1000000000u + part);
	if (at == n)
		return true;
	if (!recording_parse_real(s, n, &real) || !(real >= 0 && real < 9e9))
		return false;
	*ns = (int64_t)(real * 1e9 + 0.5);
	return true;
}

static bool
parse_fixed_digits(const char *s, unsigned n, unsigned max, unsigned *out)
{
	*out = 0;
	for (unsigned i = 0; i < n; i++) {
		if (!is_ascii_digit(s[i]))
			return false;
		*out = *out * 10 + (unsigned)(s[i] - '0');
	}
	return *out <= max;
}

/* Parses "Z", "", "+02", "-0330" or "+05:30". */
static bool
parse_time_zone(const char *s, size_t n, size_t at, int64_t *ns)
{
	unsigned hours, minutes = 0;
	size_t left = n - at;

	*ns = 0;
	if (left == 0 || (left == 1 && s[at] == 'Z'))
		return true;
	if ((s[at] != '+' && s[at] != '-') || left < 3 ||
	    !parse_fixed_digits(s + at + 1, 2, 18, &hours))
		return false;
	if (left == 6 && s[at + 3] != ':')
		return false;
	if ((left == 5 || left == 6) &&
	    !parse_fixed_digits(s + n - 2, 2, 59, &minutes))
		return false;
	*ns = (int64_t)(hours * 60 + minutes) * 60000000000;
	if (s[at] == '-')
		*ns = -*ns;
	return left == 3 || left == 5 || left == 6;
}

bool
recording_parse_time(const char *s, size_t n, int64_t *ns)
{
	unsigned year, month, day, hour, minute, second;
	int64_t part = 0, east_ns;
	size_t at = 19;

	if (n < 19 || s[4] != '-' || s[7] != '-' || s[13] != ':' ||
	    s[16] != ':' || (s[10] != 'T' && s[10] != ' ') ||
	    !parse_fixed_digits(s, 4, 9999, &year) ||
	    !parse_fixed_digits(s + 5, 2, 12, &month) ||
	    !parse_fixed_digits(s + 8, 2, 31, &day) ||
	    !parse_fixed_digits(s + 11, 2, 23, &hour) ||
	    !parse_fixed_digits(s + 14, 2, 59, &minute) ||
	    !parse_fixed_digits(s + 17, 2, 60, &second))
		return false;
	if (year < 1970 || month == 0 || day == 0)
		return false;
	if (at < n && s[at] == '.') {
		int64_t place = 100000000;

		for (at++; at < n && is_ascii_digit(s[at]); at++, place /= 10)
			part += place * (s[at] - '0');
	}
	if (!parse_time_zone(s, n, at, &east_ns))
		return false;
	if (year >= 2262) {
		*ns = INT64_MAX;
		return true;
	}
	struct tm t = { .tm_year = (int)year - 1900,
			.tm_mon = (int)month - 1,
			.tm_mday = (int)day,
			.tm_hour = (int)hour,
			.tm_min = (int)minute,
			.tm_sec = (int)second };

	*ns = (int64_t)timegm(&t) * 1000000000 + part - east_ns;
	return *ns >= 0;
}
