#include "base/report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

enum { WIDTH = 79, INDENT = 2, TEXT_MAX = 2048, KEY_MAX = 512 };

void
report_section(FILE *out, const char *name)
{
	fprintf(out, "\n== %s\n", name);
}

static void
print_wrapped(FILE *out, const char *text, int at)
{
	bool first = true;

	for (const char *word = text; *word != '\0';) {
		int len = (int)strcspn(word, " ");

		if (!first && at + 1 + len > WIDTH) {
			fprintf(out, "\n%*s%.*s", INDENT, "", len, word);
			at = INDENT + len;
		} else {
			fprintf(out, " %.*s", len, word);
			at += 1 + len;
		}
		first = false;
		word += len;
		word += strspn(word, " ");
	}
	fputc('\n', out);
}

void
report_line(FILE *out, const char *key, const char *fmt, ...)
{
	char text[TEXT_MAX], shown[TEXT_MAX], name[KEY_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	utf8_visible(shown, sizeof shown, text);
	utf8_visible(name, sizeof name, key);
	print_wrapped(out, shown, fprintf(out, "%s:", name));
}

const char *
report_errno(int error, char buf[24])
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
		{ EPERM, "EPERM" },     { ENOENT, "ENOENT" },
		{ EINTR, "EINTR" },     { EIO, "EIO" },
		{ EBADF, "EBADF" },     { ENOMEM, "ENOMEM" },
		{ EACCES, "EACCES" },   { EBUSY, "EBUSY" },
		{ ENODEV, "ENODEV" },   { EINVAL, "EINVAL" },
		{ EMFILE, "EMFILE" },   { ENOSPC, "ENOSPC" },
		{ ERANGE, "ERANGE" },   { ENOSYS, "ENOSYS" },
		{ ENOTSUP, "ENOTSUP" }, { E2BIG, "E2BIG" },
		{ ESRCH, "ESRCH" },     { EFAULT, "EFAULT" },
		{ EAGAIN, "EAGAIN" },   { ETIMEDOUT, "ETIMEDOUT" },
	};

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
		if (names[i].number == error)
			return names[i].name;
	snprintf(buf, 24, "errno %d", error);
	return buf;
}

const char *
report_outcome(int error, char buf[REPORT_OUTCOME_SIZE])
{
	char number[24];
	const char *why = "failed";

	if (error == 0)
		return "ok";
	if (error == ENOENT || error == ENODEV || error == EOPNOTSUPP)
		why = "not there";
	else if (error == EACCES || error == EPERM)
		why = "not permitted";
	else if (error == EBUSY)
		why = "in use";
	else if (error == EINVAL || error == ENOSYS)
		why = "refused";
	snprintf(buf, REPORT_OUTCOME_SIZE, "%s (%s)", why,
		 report_errno(error, number));
	return buf;
}
