#include "base/parse.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static int
digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Appends a digit; false when v would go beyond max. */
static bool
take_digit(uint64_t *v, unsigned base, unsigned digit, uint64_t max)
{
	if (digit > max || *v > (max - digit) / base)
		return false;
	*v = *v * base + digit;
	return true;
}

bool
parse_u64(const char *s, uint64_t max, uint64_t *out)
{
	unsigned base = 10;
	uint64_t v = 0;

	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
		base = 16;
		s += 2;
	}
	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		int d = digit_value(*s);

		if (d < 0 || d >= (int)base ||
		    !take_digit(&v, base, (unsigned)d, max))
			return false;
	}
	*out = v;
	return true;
}

static int64_t
duration_unit(const char *s)
{
	static const struct {
		const char *name;
		int64_t ns;
	} unit[] = { { "", 1000000000 },    { "s", 1000000000 },
		     { "ms", 1000000 },     { "us", 1000 },
		     { "ns", 1 },           { "m", 60000000000 },
		     { "h", 3600000000000 } };

	for (size_t i = 0; i < sizeof unit / sizeof unit[0]; i++)
		if (strcmp(unit[i].name, s) == 0)
			return unit[i].ns;
	return 0;
}

bool
parse_duration(const char *s, int64_t *ns)
{
	const char *fraction = NULL, *p = s;
	uint64_t whole = 0;

	if (!is_digit(*p))
		return false;
	for (; is_digit(*p); p++)
		if (!take_digit(&whole, 10, (unsigned)(*p - '0'), INT64_MAX))
			return false;
	if (*p == '.') {
		fraction = ++p;
		if (!is_digit(*p))
			return false;
		while (is_digit(*p))
			p++;
	}
	int64_t unit = duration_unit(p);

	if (unit == 0 || whole > (uint64_t)(INT64_MAX / unit))
		return false;
	uint64_t total = whole * (uint64_t)unit, place = (uint64_t)unit;

	for (; fraction != NULL && is_digit(*fraction); fraction++) {
		place /= 10; /* below a nanosecond it is 0, and cut */
		total += place * (uint64_t)(*fraction - '0');
	}
	if (total > INT64_MAX)
		return false;
	*ns = (int64_t)total;
	return true;
}

bool
parse_clock(const char *s, int64_t *ns)
{
	static const int64_t second = 1000000000;
	int64_t all = 0;
	unsigned parts = 1;

	for (;; s++, parts++) {
		uint64_t part = 0;

		if (!is_digit(*s) || parts > 3)
			return false;
		for (; is_digit(*s); s++)
			if (!take_digit(&part, 10, (unsigned)(*s - '0'),
					1000000))
				return false;
		all = all * 60 + (int64_t)part;
		if (*s != ':')
			break;
	}
	if (*s != '\0' || parts == 1)
		return false;
	*ns = all * second;
	return true;
}

/* strtod wants the locale's point. */
static bool
double_of(const char *s, double *out)
{
	const char *point = localeconv()->decimal_point;
	char text[400], *end;
	size_t n = 0;

	for (; *s != '\0'; s++) {
		size_t len = *s == '.' ? strlen(point) : 1;

		if (n + len >= sizeof text)
			return false;
		memcpy(text + n, *s == '.' ? point : s, len);
		n += len;
	}
	text[n] = '\0';
	*out = strtod(text, &end);
	return *end == '\0';
}

bool
parse_double(const char *s, double *out)
{
	static const char digits[] = "0123456789";
	const char *p = s + (*s == '-');

	if (!is_digit(*p) || (*p == '0' && is_digit(p[1])))
		return false;
	p += strspn(p, digits);
	if (*p == '.') {
		if (!is_digit(*++p))
			return false;
		p += strspn(p, digits);
	}
	return *p == '\0' && double_of(s, out);
}

static bool
list_number(const char **s, unsigned max, unsigned *out)
{
	uint64_t v = 0;

	if (!is_digit(**s))
		return false;
	for (; is_digit(**s); (*s)++)
		if (!take_digit(&v, 10, (unsigned)(**s - '0'), max))
			return false;
	*out = (unsigned)v;
	return true;
}

/* One walk over the list; add may be NULL, to check it first. */
static bool
list_walk(const char *s, unsigned max, void (*add)(void *, unsigned), void *arg)
{
	if (*s == '\0' || strcmp(s, "\n") == 0)
		return true;
	for (;; s++) {
		unsigned from, to;

		if (!list_number(&s, max, &from))
			return false;
		to = from;
		if (*s == '-') {
			s++;
			if (!list_number(&s, max, &to) || to < from)
				return false;
		}
		for (uint64_t i = from; add != NULL && i <= to; i++)
			add(arg, (unsigned)i);
		if (*s != ',')
			break;
	}
	return *s == '\0' || strcmp(s, "\n") == 0;
}

bool
parse_list(const char *s, unsigned max, void (*add)(void *, unsigned),
	   void *arg)
{
	return list_walk(s, max, NULL, NULL) && list_walk(s, max, add, arg);
}

size_t
parse_word(const char *s)
{
	bool inside = false;
	size_t n = 0;

	for (; s[n] != '\0' && (inside || s[n] != ','); n++)
		inside = inside != (s[n] == '/');
	return n;
}
