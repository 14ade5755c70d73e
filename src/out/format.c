#include "out/format.h"

#include <csv.h>
#include <string.h>
#include <time.h>

#include "base/formula.h"
#include "base/utf8.h"

void
format_time(struct buf *b, int64_t wall_ns)
{
	int64_t ms = wall_ns < 0 ? 0 : wall_ns / 1000000;
	time_t s = (time_t)(ms / 1000);
	struct tm t;

	gmtime_r(&s, &t);
	buf_printf(b, "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", t.tm_year + 1900,
		   t.tm_mon + 1, t.tm_mday, t.tm_hour, t.tm_min, t.tm_sec,
		   (int)(ms % 1000));
}

void
format_seconds(struct buf *b, int64_t ns)
{
	int64_t rest = ns % 1000000000, place = 100000000;

	buf_u64(b, (uint64_t)ns / 1000000000);
	buf_char(b, '.');
	do {
		buf_char(b, (char)('0' + rest / place));
		rest %= place;
		place /= 10;
	} while (rest > 0);
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

/* libcsv quotes every field, so it is used only if quotes are needed. */
void
format_field(struct buf *b, const char *text)
{
	char plain[FORMAT_FIELD_MAX + 2], quoted[2 * sizeof plain + 2];
	size_t n = 1 + format_clean(plain + 1, text);

	plain[0] = '\'';
	char *at = plain + !formula_is(plain + 1, n - 1);

	n -= (size_t)(at - plain);
	if (strpbrk(at, ",\"") != NULL || at[0] == ' ' ||
	    (n > 0 && at[n - 1] == ' '))
		buf_bytes(b, quoted,
			  csv_write2(quoted, sizeof quoted, at, n, '"'));
	else
		buf_bytes(b, at, n);
}

static size_t
json_plain_length(const char *s, size_t n)
{
	size_t i = 0;

	while (i < n && (signed char)s[i] >= ' ' && s[i] != '"' && s[i] != '\\')
		i++;
	return i;
}

void
json_string(struct buf *b, const char *s, size_t n)
{
	buf_char(b, '"');
	for (size_t i = 0, run; i < n;) {
		run = json_plain_length(s + i, n - i);
		buf_bytes(b, s + i, run);
		i += run;
		size_t len = utf8_length(s + i, n - i);

		if (i == n)
			break;
		if (len == 0)
			buf_str(b, UTF8_REPLACEMENT);
		else if ((unsigned char)s[i] < ' ')
			buf_printf(b, "\\u%04x", (unsigned)s[i]);
		else {
			buf_str(b, len == 1 ? "\\" : "");
			buf_bytes(b, s + i, len);
		}
		i += len > 0 ? len : 1;
	}
	buf_char(b, '"');
}

void
json_words(struct buf *b, const char *words)
{
	buf_char(b, '[');
	for (const char *at = words; *at != '\0';) {
		size_t n = strcspn(at, ";");

		if (at > words)
			buf_char(b, ',');
		json_string(b, at, n);
		at += n + (at[n] == ';');
	}
	buf_char(b, ']');
}
