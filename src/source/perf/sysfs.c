#include "source/perf/sysfs.h"

#include "base/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Up to size - 1 bytes; the number read, or -1. */
static ssize_t
read_whole(int fd, char *out, size_t size)
{
	size_t len = 0;

	while (len < size - 1) {
		ssize_t n = read(fd, out + len, size - 1 - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		len += (size_t)n;
	}
	return (ssize_t)len;
}

int
sysfs_open(const char *root, const char *path)
{
	char full[4096];
	struct stat st;
	int fd;

	if (snprintf(full, sizeof full, "%s%s", root != NULL ? root : "",
		     path) >= (int)sizeof full)
		return -1;
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0 && (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))) {
		close(fd);
		return -1;
	}
	return fd;
}

bool
sysfs_exists(const char *root, const char *path)
{
	int fd = sysfs_open(root, path);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

bool
sysfs_text(const char *root, const char *path, char *out, size_t size)
{
	ssize_t len;
	int fd;

	out[0] = '\0';
	fd = sysfs_open(root, path);
	if (fd < 0)
		return false;
	len = read_whole(fd, out, size);
	close(fd);
	if (len < 0)
		len = 0;
	out[len] = '\0';
	if (len > 0 && out[len - 1] == '\n')
		out[len - 1] = '\0';
	return len > 0;
}

bool
sysfs_number(const char *root, const char *path, int64_t *out)
{
	char text[64];
	const char *digits = text;
	uint64_t v;

	if (!sysfs_text(root, path, text, sizeof text))
		return false;
	if (*digits == '-')
		digits++;
	if (!parse_u64(digits, INT64_MAX, &v))
		return false;
	*out = digits == text ? (int64_t)v : -(int64_t)v;
	return true;
}

static void
add(void *arg, unsigned cpu)
{
	struct cpu_list *list = arg;

	list->len += !list->in[cpu];
	list->in[cpu] = true;
}

bool
cpu_list_parse(const char *text, struct cpu_list *out)
{
	memset(out, 0, sizeof *out);
	return parse_list(text, CPU_LIST_MAX - 1, add, out);
}

bool
sysfs_list(const char *root, const char *path, struct cpu_list *out)
{
	static const size_t size = (size_t)CPU_LIST_MAX * 6;
	char *text = malloc(size);
	bool ok;

	memset(out, 0, sizeof *out);
	if (text == NULL)
		return false;
	/* An empty list is a list; what was cut is none. */
	ok = sysfs_text(root, path, text, size) && strlen(text) < size - 1 &&
	     cpu_list_parse(text, out);
	free(text);
	return ok;
}

static void
keep_first(void *arg, unsigned cpu)
{
	int *first = arg;

	if (*first < 0)
		*first = (int)cpu;
}

int
sysfs_first(const char *root, const char *path)
{
	char text[1024];
	int first = -1;

	if (sysfs_text(root, path, text, sizeof text))
		parse_list(text, CPU_LIST_MAX - 1, keep_first, &first);
	return first;
}
