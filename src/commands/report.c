#include "commands/report.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fd.h"
#include "out/format.h"
#include "out/target.h"

enum { DIGITS = 9 };

static bool
open_file(struct report *r, const char *path, bool force, struct err *e)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (force ? O_TRUNC : O_EXCL);
	int fd;

	if (strcmp(path, "-") == 0)
		return true;
	fd = open(path, flags | O_NOCTTY, 0666);
	if (fd >= 0 && fd_is_endless(fd)) {
		close(fd);
		return err_set(
			e, ERR_FAIL,
			"cannot write %s: it is a new pseudo-terminal, which nothing reads; choose another file",
			path);
	}
	if (fd >= 0)
		r->out = fdopen(fd, "w");
	r->name = path;
	r->owned = fd >= 0 && r->out != NULL;
	if (r->owned)
		return true;
	if (errno == EEXIST)
		return err_set(e, ERR_FAIL, "%s exists; --force replaces it",
			       path);
	return err_set(e, ERR_FAIL, "%s: %s", path, strerror(errno));
}

bool
report_open_file(struct report *r, enum report_form form, const char *path,
		 bool force, struct err *e)
{
	*r = (struct report){ .form = form, .out = stdout };
	r->line = buf_over(r->line_text, sizeof r->line_text);
	r->head = buf_over(r->head_text, sizeof r->head_text);
	return open_file(r, path, force, e);
}

bool
report_open(struct report *r, const struct options *o, struct err *e)
{
	const char *csv = o->out.file[OUTPUT_CSV],
		   *json = o->out.file[OUTPUT_JSON];
	const char *path = csv != NULL ? csv : json != NULL ? json : "-";

	if (csv != NULL && json != NULL)
		return err_set(e, ERR_USAGE, "choose either --csv or --json");
	for (unsigned i = 0; i < o->cmd.nargs; i++)
		if (strcmp(path, "-") != 0 &&
		    paths_same_file(path, o->cmd.arg[i]))
			return err_set(
				e, ERR_USAGE,
				"--%s %s is the recording that is read; choose another file",
				csv != NULL ? "csv" : "json", path);
	return report_open_file(r,
				csv != NULL    ? REPORT_CSV
				: json != NULL ? REPORT_JSON
					       : REPORT_TEXT,
				path, o->out.force, e);
}

bool
report_close(struct report *r, struct err *e)
{
	if (!r->owned) /* flush_output flushes standard output */
		return true;
	bool ok = fflush(r->out) == 0 && !ferror(r->out);
	int error = errno;

	if (fclose(r->out) != 0) {
		ok = false;
		error = errno;
	}
	return ok || err_set(e, ERR_FAIL, "cannot write %s: %s", r->name,
			     strerror(error));
}

static struct buf *
begin_field(struct report *r, const char *name)
{
	const char *comma = r->nfields++ > 0 ? "," : "";

	if (r->form == REPORT_JSON) {
		buf_printf(&r->line, "%s\"%s\":", comma, name);
	} else {
		buf_str(&r->line, comma);
		if (!r->header_done)
			buf_printf(&r->head, "%s%s", comma, name);
	}
	return &r->line;
}

/* Texts from recordings have no control bytes: utf8_plain removed them. */
void
report_text(struct report *r, const char *name, const char *text)
{
	struct buf *b = begin_field(r, name);

	if (r->form == REPORT_JSON)
		json_string(b, text, strlen(text));
	else
		format_field(b, text);
}

void
report_number(struct report *r, const char *name, double v)
{
	struct buf *b = begin_field(r, name);

	buf_decimal(b, v, DIGITS);
	if (isnan(v) && r->form == REPORT_JSON)
		buf_str(b, "null");
}

void
report_count(struct report *r, const char *name, uint64_t v)
{
	buf_u64(begin_field(r, name), v);
}

void
report_end(struct report *r)
{
	if (r->form == REPORT_CSV && !r->header_done)
		fprintf(r->out, "%s\n", buf_cstr(&r->head));
	r->header_done = true;
	fprintf(r->out, r->form == REPORT_JSON ? "{%s}\n" : "%s\n",
		buf_cstr(&r->line));
	r->line.len = 0;
	r->nfields = 0;
}

void
report_wrap(FILE *out, const char *text)
{
	enum { WIDTH = 79 };

	while (strlen(text) > WIDTH) {
		int at = WIDTH;

		while (at > 0 && text[at] != ' ')
			at--;
		fprintf(out, "%.*s\n", at, text);
		text += at + 1;
	}
	fprintf(out, "%s\n", text);
}
