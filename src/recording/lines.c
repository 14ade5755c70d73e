#include "recording/lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum {
	LINES_BUFFER_SIZE = 1 << 20, /* and the longest line */
	LINES_READ_SIZE = 128 << 10, /* what a core's own cache can hold */
	LINES_TELL_BYTES = 1 << 20
};

bool
lines_open(struct lines *l, unsigned file, struct err *e)
{
	l->before += l->in.bytes;
	input_close(&l->in);
	l->file = file;
	l->at = l->end = 0;
	l->base = 0;
	l->line = 0;
	l->eof = false;
	return input_open(&l->in, l->path[file], e);
}

static bool
refill(struct lines *l, struct err *e)
{
	if (l->at > 0) {
		memmove(l->buf, l->buf + l->at, l->end - l->at);
		l->base += (int64_t)l->at;
		l->end -= l->at;
		l->at = 0;
	}
	size_t room = LINES_BUFFER_SIZE - l->end;
	ptrdiff_t n =
		input_read(&l->in, l->buf + l->end,
			   room < LINES_READ_SIZE ? room : LINES_READ_SIZE, e);

	if (n < 0)
		return false;
	l->eof = n == 0;
	l->end += (size_t)n;
	uint64_t read = l->before + l->in.bytes;

	if (l->tell != NULL && read - l->told >= LINES_TELL_BYTES) {
		l->told = read;
		l->tell(l->tell_arg, read, l->all);
	}
	return true;
}

enum line_status
lines_next(struct lines *l, const char **line, size_t *n, struct err *e)
{
	size_t seen = 0;

	for (;;) {
		char *from = l->buf + l->at;
		size_t left = l->end - l->at;
		char *to = left > seen ? memchr(from + seen, '\n', left - seen)
				       : NULL;

		if (to != NULL || (l->eof && left > 0)) {
			*line = from;
			*n = to != NULL ? (size_t)(to - from) : left;
			l->at += *n + (to != NULL);
			l->line++;
			return to != NULL ? LINE_WHOLE : LINE_CUT;
		}
		if (l->eof)
			return LINE_NONE;
		seen = left;
		if (left == LINES_BUFFER_SIZE) {
			err_set(e, ERR_FORMAT,
				"%s:%llu: a line of a megabyte is no row of a recording",
				input_name(&l->in),
				(unsigned long long)l->line + 1);
			return LINE_BAD;
		}
		if (!refill(l, e))
			return LINE_BAD;
	}
}

void
lines_back(struct lines *l, size_t n)
{
	l->at -= n + 1;
	l->line--;
}

/* For all segments, where that can be known. */
static uint64_t
measure(const struct lines *l)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < l->npaths; i++) {
		struct stat st;

		if (stat(l->path[i], &st) != 0 || !S_ISREG(st.st_mode))
			return 0;
		all += (uint64_t)st.st_size;
	}
	return all;
}

bool
lines_init(struct lines *l, const char *const *path, unsigned n, struct err *e)
{
	*l = (struct lines){ .path = path, .npaths = n, .in = { .fd = -1 } };
	l->buf = malloc(LINES_BUFFER_SIZE);
	if (l->buf == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a recording");
	l->all = measure(l);
	return lines_open(l, 0, e);
}

void
lines_done(struct lines *l)
{
	input_close(&l->in);
	free(l->buf);
	l->buf = NULL;
}

bool
lines_seek(struct lines *l, int64_t offset, uint64_t line, struct err *e)
{
	if (!input_seek(&l->in, offset, e))
		return false;
	l->at = l->end = 0;
	l->base = offset;
	l->line = line - 1;
	l->eof = false;
	return true;
}
