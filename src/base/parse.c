#include "base/parse.h"

#include <errno.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

static const char digits[] = "0123456789abcdefABCDEF";

static bool
is_decimal(char c)
{
	return c >= '0' && c <= '9';
}

/* Keeps errno. */
static bool
take_number(const char **s, int base, uint64_t max, uint64_t *out)
{
	size_t n = strspn(*s, digits);
	int was = errno;
	char *end;

	if (base == 10)
		for (n = 0; is_decimal((*s)[n]);)
			n++;
	if (n == 0)
		return false;
	errno = 0;
	*out = strtoull(*s, &end, base);
	bool ok = errno == 0 && end == *s + n && *out <= max;

	errno = was;
	*s += n;
	return ok;
}

bool
parse_u64(const char *s, uint64_t max, uint64_t *out)
{
	bool hex = s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
	uint64_t v;

	s += hex ? 2 : 0;
	if (!take_number(&s, hex ? 16 : 10, max, &v) || *s != '\0')
		return false;
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

	if (!take_number(&p, 10, INT64_MAX, &whole))
		return false;
	if (*p == '.') {
		fraction = ++p;
		if (!is_decimal(*p))
			return false;
		while (is_decimal(*p))
			p++;
	}
	int64_t unit = duration_unit(p);

	if (unit == 0 || whole > (uint64_t)(INT64_MAX / unit))
		return false;
	uint64_t total = whole * (uint64_t)unit, place = (uint64_t)unit;

	for (; fraction != NULL && is_decimal(*fraction); fraction++) {
		place /= 10;
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
		uint64_t part;

		if (parts > 3 || !take_number(&s, 10, 1000000, &part))
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

/* strtod expects the locale's decimal point. */
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
	const char *p = s + (*s == '-');

	if (!is_decimal(*p) || (*p == '0' && is_decimal(p[1])))
		return false;
	while (is_decimal(*p))
		p++;
	if (*p == '.') {
		if (!is_decimal(*++p))
			return false;
		while (is_decimal(*p))
			p++;
	}
	return *p == '\0' && double_of(s, out);
}

/* add NULL: only checks the list. */
static bool
list_walk(const char *s, unsigned max, void (*add)(void *, unsigned), void *arg)
{
	if (*s == '\0' || strcmp(s, "\n") == 0)
		return true;
	for (;; s++) {
		uint64_t from, to;

		if (!take_number(&s, 10, max, &from))
			return false;
		to = from;
		if (*s == '-') {
			s++;
			if (!take_number(&s, 10, max, &to) || to < from)
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
