#include "out/format.h"

#include <csv.h>
#include <stdbool.h>
#include <string.h>

#include "base/formula.h"

static void
digits(struct buf *b, unsigned v, unsigned n)
{
	char text[10];

	for (unsigned i = n; i-- > 0; v /= 10)
		text[i] = (char)('0' + v % 10);
	buf_bytes(b, text, n);
}

/*
 * Year, month and day of a day number since 1970-01-01: eras of 400 years
 * (146097 days), counted from 1 March so that the leap day comes last.
 */
static void
date_of(int64_t days, unsigned *year, unsigned *month, unsigned *day)
{
	unsigned z = (unsigned)(days + 719468);
	unsigned era = z / 146097, doe = z % 146097;
	unsigned yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	unsigned doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
	unsigned mp = (5 * doy + 2) / 153;

	*day = doy - (153 * mp + 2) / 5 + 1;
	*month = mp < 10 ? mp + 3 : mp - 9;
	*year = yoe + era * 400 + (*month <= 2);
}

void
format_time(struct buf *b, int64_t wall_ns)
{
	int64_t ms = wall_ns < 0 ? 0 : wall_ns / 1000000;
	unsigned in_day = (unsigned)(ms % 86400000);
	unsigned year, month, day;

	date_of(ms / 86400000, &year, &month, &day);
	digits(b, year, 4);
	buf_char(b, '-');
	digits(b, month, 2);
	buf_char(b, '-');
	digits(b, day, 2);
	buf_char(b, 'T');
	digits(b, in_day / 3600000, 2);
	buf_char(b, ':');
	digits(b, in_day / 60000 % 60, 2);
	buf_char(b, ':');
	digits(b, in_day / 1000 % 60, 2);
	buf_char(b, '.');
	digits(b, in_day % 1000, 3);
	buf_char(b, 'Z');
}

void
format_seconds(struct buf *b, double s)
{
	if (!(s >= 0) || s > 9e9)
		return;
	uint64_t ns = (uint64_t)(s * 1e9 + 0.5);
	unsigned rest = (unsigned)(ns % 1000000000), n = 9;

	buf_u64(b, ns / 1000000000);
	for (; n > 1 && rest % 10 == 0; rest /= 10)
		n--;
	buf_char(b, '.');
	digits(b, rest, n);
}

void
format_real(struct buf *b, double v, int most)
{
	size_t from = b->len;

	buf_decimal(b, v, most);
	if (b->len > from && b->at[b->len - 1] != 'f' &&
	    memchr(b->at + from, '.', b->len - from) == NULL)
		buf_bytes(b, ".0", 2);
}

static bool
needs_quotes(const char *s, size_t n)
{
	return n > 0 &&
	       (s[0] == ' ' || s[n - 1] == ' ' || memchr(s, ',', n) != NULL ||
		memchr(s, '"', n) != NULL);
}

size_t
format_clean(char out[FORMAT_FIELD_MAX + 1], const char *text)
{
	size_t n = 0;

	for (; *text != '\0' && n < FORMAT_FIELD_MAX; text++)
		if ((unsigned char)*text >= ' ' && *text != 0x7f)
			out[n++] = *text;
	out[n] = '\0';
	return n;
}

/* libcsv writes every field quoted; where that is not needed it is taken off.
 */
void
format_field(struct buf *b, const char *text)
{
	char plain[FORMAT_FIELD_MAX + 2];
	char quoted[2 * sizeof plain + 2];
	size_t n = 1 + format_clean(plain + 1, text);

	plain[0] = '\'';
	size_t skip = !formula_is(plain + 1, n - 1);
	size_t len =
		csv_write2(quoted, sizeof quoted, plain + skip, n - skip, '"');

	if (needs_quotes(plain + skip, n - skip))
		buf_bytes(b, quoted, len);
	else
		buf_bytes(b, quoted + 1, len - 2);
}
