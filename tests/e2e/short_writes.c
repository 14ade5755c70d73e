/*
 * A write(2) that is as bad as it may be, to be preloaded: of the calls on the
 * file of KTOP_BAD_FILE some fail and some take a part only. Drawn from
 * KTOP_BAD_SEED.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned long long
draw(void)
{
	static unsigned long long x;

	if (x == 0)
		x = strtoull(getenv("KTOP_BAD_SEED"), NULL, 10) * 2 + 1;
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x >> 8;
}

static int
is_the_file(int fd)
{
	const char *want = getenv("KTOP_BAD_FILE");
	char link[64], name[1024];

	(void)snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, name, sizeof name - 1);

	if (n <= 0 || want == NULL)
		return 0;
	name[n] = '\0';
	return strcmp(name, want) == 0;
}

ssize_t
write(int fd, const void *at, size_t n)
{
	static const int errors[] = { EIO, ENOSPC, EDQUOT, EINTR };
	ssize_t (*real)(int, const void *, size_t);
	void *found = dlsym(RTLD_NEXT, "write");

	memcpy(&real, &found, sizeof real);
	if (n < 2 || !is_the_file(fd) || lseek(fd, 0, SEEK_END) == 0)
		return real(fd, at, n);
	switch (draw() % 4) {
	case 0:
		errno = errors[draw() % 4];
		return -1;
	case 1:
		return real(fd, at, 1 + draw() % (n - 1));
	}
	return real(fd, at, n);
}
