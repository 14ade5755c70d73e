#include "stat/leftover.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject/record.h"

/* A record of any version. */
struct head {
	uint64_t magic;
	uint32_t size, columns;
};

const char *
leftover_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder != NULL && folder[0] == '/' ? folder : "/tmp";
}

bool
leftover_hold(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/*
 * Size first: a file that is being made is empty until it is held, and is not
 * to be locked by anybody else.
 */
static bool
is_left(int fd)
{
	struct head h;
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       st.st_uid == geteuid() && st.st_size >= (off_t)sizeof h &&
	       leftover_hold(fd) &&
	       pread(fd, &h, sizeof h, 0) == (ssize_t)sizeof h &&
	       h.magic == INJECT_MAGIC && (off_t)h.size == st.st_size;
}

/* The folder may be anybody's: no link is followed, no pipe waited for. */
static bool
remove_left(int folder, const char *name)
{
	int fd = openat(folder, name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				O_CLOEXEC);
	bool removed = fd >= 0 && is_left(fd) && unlinkat(folder, name, 0) == 0;

	if (fd >= 0)
		close(fd);
	return removed;
}

unsigned
leftover_remove(void)
{
	static const char begin[] = "ktop-inject-";
	DIR *folder = opendir(leftover_folder());
	const struct dirent *file;
	unsigned n = 0;

	if (folder == NULL)
		return 0;
	while ((file = readdir(folder)) != NULL)
		if (strncmp(file->d_name, begin, sizeof begin - 1) == 0)
			n += remove_left(dirfd(folder), file->d_name);
	closedir(folder);
	return n;
}
