/* For ptsname; what the command line asks for goes without X/Open. */
#define _XOPEN_SOURCE 700

#include "base/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
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
		/* The lowest that is free is this one; it goes the wrong way.
		 */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null",
			 fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
			return;
}
