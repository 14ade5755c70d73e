#include "out/page_text.h"

#include <string.h>

#include "base/utf8.h"

enum { DIGITS = 15 };

void
page_label(struct buf *b, const char *name, const char *value)
{
	size_t n = strlen(value);

	if (b->len > 0)
		buf_char(b, ',');
	buf_str(b, name);
	buf_str(b, "=\"");
	for (size_t i = 0; i < n;) {
		size_t len = utf8_length(value + i, n - i);

		if (value[i] == '\n')
			buf_str(b, "\\n");
		else if (len == 0)
			buf_str(b, UTF8_REPLACEMENT);
		else {
			if (value[i] == '"' || value[i] == '\\')
				buf_char(b, '\\');
			buf_bytes(b, value + i, len);
		}
		i += len > 0 ? len : 1;
	}
	buf_char(b, '"');
}

void
page_name(struct buf *b, const struct page_family *m)
{
	buf_str(b, "ktop_");
	buf_str(b, m->about);
	buf_char(b, '_');
	buf_str(b, m->name);
	buf_str(b, m->suffix);
}

void
page_head(struct buf *b, const struct page_family *m)
{
	buf_str(b, "# HELP ");
	page_name(b, m);
	buf_char(b, ' ');
	for (const char *s = m->text; *s != '\0'; s++) {
		if (*s == '\\')
			buf_char(b, '\\');
		buf_char(b, *s);
	}
	buf_str(b, "\n# TYPE ");
	page_name(b, m);
	buf_char(b, ' ');
	buf_str(b, m->type);
	buf_char(b, '\n');
	if (m->unit == NULL)
		return;
	buf_str(b, "# UNIT ");
	page_name(b, m);
	buf_char(b, ' ');
	buf_str(b, m->unit);
	buf_char(b, '\n');
}

void
page_begin(struct buf *b, const struct page_family *m, const char *labels)
{
	page_name(b, m);
	buf_char(b, '{');
	buf_str(b, labels);
}

void
page_real(struct buf *b, double v)
{
	buf_str(b, "} ");
	buf_decimal(b, v, DIGITS);
	buf_char(b, '\n');
}

void
page_count(struct buf *b, uint64_t v)
{
	buf_str(b, "} ");
	buf_u64(b, v);
	buf_char(b, '\n');
}
