#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

enum { LINE_MAX_BYTES = 1024, ESCAPED = 4 /* bytes for one */ };

bool
err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	char text[sizeof e->text];
	va_list ap;

	if (e == NULL)
		return false;
	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	memcpy(e->text, text, sizeof text);
	e->code = code;
	return false;
}

bool
err_prefix(struct err *e, const char *prefix)
{
	if (e == NULL)
		return false;
	char text[sizeof e->text];

	memcpy(text, e->text, sizeof text);
	return err_set(e, e->code, "%s: %s", prefix, text);
}

void
err_print(const char *fmt, ...)
{
	char text[LINE_MAX_BYTES], shown[ESCAPED * LINE_MAX_BYTES];
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	utf8_visible(shown, sizeof shown, text);
	(void)fprintf(stderr, "ktop: %s\n", shown);
}
