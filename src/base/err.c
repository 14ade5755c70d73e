#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/select.h>
#include <unistd.h>

#include "base/utf8.h"

enum { LINE_MAX_BYTES = 1024, ESCAPED = 4 };

static void format_text(struct err *e, enum err_code code, const char *fmt,
			va_list ap) __attribute__((format(printf, 3, 0)));

static void
format_text(struct err *e, enum err_code code, const char *fmt, va_list ap)
{
	char text[sizeof e->text];

	if (e == NULL)
		return;
	vsnprintf(text, sizeof text, fmt, ap);
	memcpy(e->text, text, sizeof text);
	e->code = code;
}

bool
err_set(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	format_text(e, code, fmt, ap);
	va_end(ap);
	return false;
}

void *
err_null(struct err *e, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	format_text(e, code, fmt, ap);
	va_end(ap);
	return NULL;
}

/* A write to a stopped terminal (^S, a lost connection) would block forever
 * with the counters in use. select() is used, as macOS's poll() does not
 * support terminals. */
static bool
terminal_accepts(int fd)
{
	struct timeval wait = { .tv_usec = 500000 };
	fd_set set;

	if (!isatty(fd))
		return true;
	FD_ZERO(&set);
	FD_SET(fd, &set);
	return select(fd + 1, NULL, &set, NULL, &wait) != 0;
}

void
err_print(const char *fmt, ...)
{
	char text[LINE_MAX_BYTES], shown[ESCAPED * LINE_MAX_BYTES];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	utf8_visible(shown, sizeof shown, text);
	if (terminal_accepts(STDERR_FILENO))
		fprintf(stderr, "ktop: %s\n", shown);
}

int
err_fail(const struct err *e)
{
	err_print("%s", e->text);
	return e->code == ERR_NONE ? ERR_FAIL : (int)e->code;
}
