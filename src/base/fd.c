/* For ptsname(), which _POSIX_C_SOURCE hides. */
#define _XOPEN_SOURCE 700

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

bool
fd_is_endless(int fd)
{
	return isatty(fd) != 0 && ptsname(fd) != NULL;
}

void
fd_keep_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		/* open() returns the lowest free number, which is fd. Standard
		 * input is opened for writing and the others for reading, so
		 * that ktop's reads and writes fail. */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null",
			 fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
}

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

bool
fd_await_input(int fd)
{
	sigset_t mask;
	fd_set input;

	if (fd >= (int)FD_SETSIZE)
		return true;
	(void)sigprocmask(SIG_BLOCK, NULL, &mask);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		(void)sigdelset(&mask, ending[i]);
	FD_ZERO(&input);
	FD_SET(fd, &input);
	return pselect(fd + 1, &input, NULL, NULL, NULL, &mask) >= 0 ||
	       errno != EINTR;
}

int
fd_open_input(const char *path)
{
	sigset_t set, old, come;
	int fd = -1, error = EINTR;
	bool comes = false;

	(void)sigemptyset(&set);
	(void)sigpending(&come);
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
		(void)sigaddset(&set, ending[i]);
		comes = comes || sigismember(&come, ending[i]) == 1;
	}
	(void)sigprocmask(SIG_UNBLOCK, &set, &old);
	if (!comes) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
		error = errno;
	}
	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	errno = error;
	return fd;
}

bool
fd_names_socket(const char *path)
{
	int was = errno;
	struct stat st;
	bool yes = stat(path, &st) == 0 && S_ISSOCK(st.st_mode);

	errno = was;
	return yes;
}
