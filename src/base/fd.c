/* For ptsname; what the command line asks for goes without X/Open. */
#define _XOPEN_SOURCE 700

#include "base/fd.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

bool
fd_is_endless(int fd)
{
	return isatty(fd) != 0 && ptsname(fd) != NULL;
}
