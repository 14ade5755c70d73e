#include "recording/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd.h"

const char *
input_name(const struct input *in)
{
	return strcmp(in->path, "-") == 0 ? "standard input" : in->path;
}

bool
input_open(struct input *in, const char *path, struct err *e)
{
	struct stat st;

	*in = (struct input){ .path = path, .fd = -1 };
	if (strcmp(path, "-") == 0) {
		in->fd = STDIN_FILENO;
		return true;
	}
	in->fd = fd_open_input(path);
	if (in->fd < 0 && fd_names_socket(path))
		return err_set(
			e, ERR_FORMAT,
			"recording %s is a socket, which cannot be opened as a file; read it with a program that connects to it, and give - for its output",
			path);
	if (in->fd < 0)
		return err_set(e, errno == EACCES ? ERR_PERM : ERR_FORMAT,
			       "recording %s: %s", path, strerror(errno));
	if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(e, ERR_FORMAT,
			       "recording %s is a folder; name the files in it",
			       path);
	if (fd_is_endless(in->fd))
		return err_set(e, ERR_FORMAT,
			       "recording %s has no bytes to read", path);
	return true;
}

void
input_close(struct input *in)
{
	if (in->fd > STDIN_FILENO)
		close(in->fd);
	in->fd = -1;
}

ptrdiff_t
input_read(struct input *in, char *to, size_t n, struct err *e)
{
	ssize_t got = 0;

	/* Who is asked to end reads no further: it ends in good order. */
	if (fd_await_input(in->fd))
		do
			got = read(in->fd, to, n);
		while (got < 0 && errno == EINTR);
	if (got < 0) {
		err_set(e, ERR_FORMAT, "recording %s: %s", input_name(in),
			strerror(errno));
		return -1;
	}
	in->eof = got == 0;
	in->bytes += (uint64_t)got;
	return got;
}

bool
input_seek(struct input *in, int64_t offset, struct err *e)
{
	if (lseek(in->fd, (off_t)offset, SEEK_SET) != (off_t)offset)
		return err_set(e, ERR_FAIL,
			       "recording %s: cannot go back in it: %s",
			       input_name(in), strerror(errno));
	in->eof = false;
	return true;
}
