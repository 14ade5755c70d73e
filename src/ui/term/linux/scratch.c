#include "ui/term/scratch.h"

#include <sys/syscall.h>
#include <unistd.h>

enum { CLOEXEC = 1 }; /* MFD_CLOEXEC of memfd_create(2) */

/*
 * Not on a disk, which could be full or slow. glibc declares memfd_create only
 * for _GNU_SOURCE, so it is called by number; before Linux 3.17 a temporary
 * file stands in.
 */
FILE *
scratch_open(void)
{
	int fd = (int)syscall(SYS_memfd_create, "ktop-screen", CLOEXEC);

	if (fd < 0)
		return tmpfile();
	FILE *fp = fdopen(fd, "w+");

	if (fp == NULL)
		close(fd);
	return fp;
}
