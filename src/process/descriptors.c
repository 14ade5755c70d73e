#include "process/descriptors.h"

#include <dirent.h>
#include <limits.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/parse.h"

/* limits of the first number that stays open if descriptors cannot be listed */
enum { LEAST = 1 << 16, MOST = 1 << 20 };

uint64_t
descriptors_limit(void)
{
	struct rlimit r;

	return getrlimit(RLIMIT_NOFILE, &r) == 0 ? (uint64_t)r.rlim_cur : 0;
}

static int
next_kept(int from, const int *keep, unsigned n)
{
	int next = INT_MAX;

	for (unsigned i = 0; i < n; i++)
		if (keep[i] >= from && keep[i] < next)
			next = keep[i];
	return next;
}

static bool
close_ranges(int from, const int *keep, unsigned n)
{
	for (;;) {
		int kept = next_kept(from, keep, n);
		unsigned last = kept == INT_MAX ? UINT_MAX : (unsigned)kept - 1;

		if (kept > from && !descriptors_os_close((unsigned)from, last))
			return false;
		if (kept == INT_MAX)
			return true;
		from = kept + 1;
	}
}

static unsigned
close_listed_entries(DIR *d, int from, const int *keep, unsigned n)
{
	const struct dirent *entry;
	unsigned closed = 0;
	uint64_t fd;

	while ((entry = readdir(d)) != NULL)
		if (parse_u64(entry->d_name, INT_MAX - 1, &fd) &&
		    (int)fd >= from && (int)fd != dirfd(d) &&
		    next_kept((int)fd, keep, n) != (int)fd &&
		    close((int)fd) == 0)
			closed++;
	return closed;
}

bool
descriptors_close_listed(int from, const int *keep, unsigned n)
{
	DIR *d = opendir("/proc/self/fd");

	if (d == NULL)
		d = opendir("/dev/fd");
	if (d == NULL)
		return false;
	/* Closing descriptors during the scan may hide entries. */
	while (close_listed_entries(d, from, keep, n) > 0)
		rewinddir(d);
	return closedir(d) == 0;
}

void
descriptors_close_counted(int from, const int *keep, unsigned n)
{
	struct rlimit r;
	int most = LEAST;

	if (getrlimit(RLIMIT_NOFILE, &r) == 0 && r.rlim_cur > LEAST)
		most = r.rlim_cur < MOST ? (int)r.rlim_cur : MOST;
	for (int fd = from; fd < most; fd++)
		if (next_kept(fd, keep, n) != fd)
			close(fd);
}

void
descriptors_close(int from, const int *keep, unsigned n)
{
	if (!close_ranges(from, keep, n) &&
	    !descriptors_close_listed(from, keep, n))
		descriptors_close_counted(from, keep, n);
}
