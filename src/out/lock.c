#include "out/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include "process/open_as.h"

bool
lock_take(const char *name, int fd, struct err *e)
{
	struct flock who = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	char other[64] = "another program, such as a ktop,";

	if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
		lock_sign(fd);
		return true;
	}
	if (errno != EWOULDBLOCK)
		return true;
	if (fcntl(fd, F_GETLK, &who) == 0 && who.l_type != F_UNLCK &&
	    who.l_pid > 0)
		snprintf(other, sizeof other, "another ktop (pid %ld)",
			 (long)who.l_pid);
	return err_set(
		e, ERR_FAIL,
		"cannot write %s: %s is recording to it; choose another name, or stop that recording",
		name, other);
}

void
lock_sign(int fd)
{
	struct flock all = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	(void)fcntl(fd, F_SETLK, &all);
}

bool
lock_is_free(const char *name, struct err *e)
{
	int fd = open_as_caller(name, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
	bool ok = fd < 0 || lock_take(name, fd, e);

	if (fd >= 0)
		close(fd);
	return ok;
}
