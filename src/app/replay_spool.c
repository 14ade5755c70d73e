#include "app/replay_spool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd.h"

static int
open_nameless(struct err *e)
{
	const char *folder = getenv("TMPDIR");
	char name[4096];
	int fd;

	if (folder == NULL || folder[0] == '\0')
		folder = "/tmp";
	(void)snprintf(name, sizeof name, "%s/ktop-replay-XXXXXX", folder);
	fd = mkstemp(name);
	if (fd < 0) {
		(void)err_set(e, ERR_FAIL, "%s: %s", name, strerror(errno));
		return -1;
	}
	(void)unlink(name);
	(void)fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

static bool
write_all(int fd, const char *at, size_t n)
{
	while (n > 0) {
		ssize_t w = write(fd, at, n);

		if (w < 0 && errno != EINTR)
			return false;
		if (w > 0) {
			at += w;
			n -= (size_t)w;
		}
	}
	return true;
}

static bool
copy(int from, int to)
{
	static const size_t size = 1 << 16;
	char *buf = malloc(size);
	bool ok = buf != NULL;

	while (ok) {
		ssize_t n;

		ok = fd_await_input(from);
		if (!ok)
			break;
		n = read(from, buf, size);
		if (n == 0)
			break;
		if (n < 0 && errno == EINTR)
			continue;
		ok = n > 0 && write_all(to, buf, (size_t)n);
	}
	free(buf);
	return ok;
}

bool
replay_spool(char *path, size_t size, struct err *e)
{
	int fd = open_nameless(e), tty;

	if (fd < 0)
		return false;
	if (!copy(STDIN_FILENO, fd) || lseek(fd, 0, SEEK_SET) != 0)
		return err_set(e, ERR_FAIL,
			       "keeping the recording of standard input: %s",
			       strerror(errno));
	tty = open("/dev/tty", O_RDWR);
	if (tty < 0 || dup2(tty, STDIN_FILENO) < 0)
		return err_set(e, ERR_FAIL,
			       "no terminal to take keys from (/dev/tty: %s); "
			       "use -b",
			       strerror(errno));
	(void)close(tty);
	(void)snprintf(path, size, "/dev/fd/%d", fd);
	return true;
}
