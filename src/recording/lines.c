#include "recording/inner.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

enum {
	LINES_BUFFER_SIZE = 1 << 20, /* also the longest line */
	LINES_READ_SIZE = 128 << 10,
	LINES_TELL_BYTES = 1 << 20
};

const char *
lines_path_name(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

const char *
lines_name(const struct lines *l)
{
	return lines_path_name(l->path[l->file]);
}

static void
lines_close_file(struct lines *l)
{
	if (l->fd > STDIN_FILENO)
		close(l->fd);
	l->fd = -1;
}

static bool
lines_open_file(struct lines *l, const char *path, struct err *e)
{
	struct stat st;

	if (strcmp(path, "-") == 0) {
		l->fd = STDIN_FILENO;
		return true;
	}
	l->fd = fd_open_input(path);
	if (l->fd < 0 && fd_names_socket(path))
		return err_set(
			e, ERR_FORMAT,
			"recording %s is a socket, which cannot be opened as a file; pipe the output of a program that connects to it, and name -",
			path);
	if (l->fd < 0)
		return err_set(e, errno == EACCES ? ERR_PERM : ERR_FORMAT,
			       "recording %s: %s", path, strerror(errno));
	if (fstat(l->fd, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(e, ERR_FORMAT,
			       "recording %s is a folder; name the files in it",
			       path);
	return !fd_is_endless(l->fd) ||
	       err_set(e, ERR_FORMAT,
		       "recording %s is a new pseudo-terminal, which has no data; name a file",
		       path);
}

bool
lines_open(struct lines *l, unsigned file, struct err *e)
{
	lines_close_file(l);
	l->file = file;
	l->at = l->end = 0;
	l->base = 0;
	l->line = 0;
	l->eof = false;
	return lines_open_file(l, l->path[file], e);
}

static bool
lines_refill(struct lines *l, struct err *e)
{
	if (l->at > 0) {
		memmove(l->buf, l->buf + l->at, l->end - l->at);
		l->base += (int64_t)l->at;
		l->end -= l->at;
		l->at = 0;
	}
	size_t room = LINES_BUFFER_SIZE - l->end;
	ssize_t n = 0;

	if (fd_await_input(l->fd))
		do
			n = read(l->fd, l->buf + l->end,
				 room < LINES_READ_SIZE ? room
							: LINES_READ_SIZE);
		while (n < 0 && errno == EINTR);
	if (n < 0)
		return err_set(e, ERR_FORMAT, "recording %s: %s", lines_name(l),
			       strerror(errno));
	l->eof = n == 0;
	l->end += (size_t)n;
	l->read += (uint64_t)n;
	if (l->tell != NULL && l->read - l->reported >= LINES_TELL_BYTES) {
		l->reported = l->read;
		l->tell(l->tell_arg, l->read, l->all);
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
				"%s:%llu: the line is longer than 1 MB, so it is not a row of a recording",
				lines_name(l), (unsigned long long)l->line + 1);
			return LINE_BAD;
		}
		if (!lines_refill(l, e))
			return LINE_BAD;
	}
}

void
lines_unread(struct lines *l, size_t n)
{
	l->at -= n + 1;
	l->line--;
}

/* In bytes; 0: some path is not a regular file. */
static uint64_t
lines_total_size(const struct lines *l)
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
	*l = (struct lines){ .path = path, .npaths = n, .fd = -1 };
	l->buf = malloc(LINES_BUFFER_SIZE);
	if (l->buf == NULL)
		return err_set(e, ERR_FAIL, "out of memory for a recording");
	l->all = lines_total_size(l);
	return lines_open(l, 0, e);
}

void
lines_done(struct lines *l)
{
	lines_close_file(l);
	free(l->buf);
	l->buf = NULL;
}

bool
lines_seek(struct lines *l, int64_t offset, uint64_t line, struct err *e)
{
	if (lseek(l->fd, (off_t)offset, SEEK_SET) != (off_t)offset)
		return err_set(e, ERR_FAIL, "recording %s: cannot seek: %s",
			       lines_name(l), strerror(errno));
	l->at = l->end = 0;
	l->base = offset;
	l->line = line - 1;
	l->eof = false;
	return true;
}
