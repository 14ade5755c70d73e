#include "source/perf/proc_file.h"

#include "base/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
	/* Fields of the line as proc(5) numbers them. */
	PARENT = 4,
	FLAGS = 9,
	USER = 14,
	SYSTEM = 15,
	THREADS = 20,
	START = 22,
	KERNEL_THREAD = 0x200000, /* PF_KTHREAD, of the flags */
	HIGH = 256                /* kept descriptors start here */
};

static uint8_t
state_of(char letter)
{
	switch (letter) {
	case 'R':
		return PROCESS_RUNS;
	case 'S':
	case 'D':
	case 'I':
		return PROCESS_SLEEPS;
	case 'T':
	case 't':
		return PROCESS_STOPPED;
	case 'Z':
	case 'X':
	case 'x':
		return PROCESS_ENDED;
	}
	return PROCESS_STATE_UNKNOWN;
}

/* A whole number with something behind it, so that none is cut. */
static bool
take_number(const char **at, const char *end, uint64_t max, uint64_t *out)
{
	const char *p = *at;
	uint64_t v = 0;

	if (p == end || *p < '0' || *p > '9')
		return false;
	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		uint64_t digit = (uint64_t)(*p - '0');

		if (v > (max - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*at = p;
	*out = v;
	return p < end && (*p == ' ' || *p == '\n' || *p == '\t');
}

/* The largest value of a field that is wanted; 0: it is not. */
static uint64_t
most_of(unsigned field)
{
	switch (field) {
	case PARENT:
		return INT32_MAX;
	case THREADS:
		return UINT32_MAX;
	case FLAGS:
	case USER:
	case SYSTEM:
	case START:
		return UINT64_MAX;
	}
	return 0;
}

/* The fields behind the name. */
static bool
take_fields(const char *at, const char *end, struct proc_line *out)
{
	uint64_t value[START + 1] = { 0 };

	if (end - at < 2 || *at++ != ' ')
		return false;
	out->state = state_of(*at++);
	for (unsigned field = PARENT; field <= START; field++) {
		uint64_t most = most_of(field);

		if (at == end || *at++ != ' ')
			return false;
		if (most != 0 && !take_number(&at, end, most, &value[field]))
			return false;
		while (at < end && *at != ' ')
			at++;
	}
	out->parent = (int32_t)value[PARENT];
	out->kernel = (value[FLAGS] & KERNEL_THREAD) != 0;
	out->user = value[USER];
	out->system = value[SYSTEM];
	out->threads = (uint32_t)value[THREADS];
	out->start = value[START];
	return true;
}

/* The last ')' of the text: names have some, too. */
static const char *
name_end(const char *begin, const char *end)
{
	while (end > begin && end[-1] != ')')
		end--;
	return end > begin ? end - 1 : NULL;
}

bool
proc_line_parse(const char *text, size_t len, struct proc_line *out)
{
	const char *end = text + len, *at = text, *close;
	size_t n;
	uint64_t pid;

	memset(out, 0, sizeof *out);
	if (!take_number(&at, end, INT32_MAX, &pid) || *at++ != ' ' ||
	    at == end || *at++ != '(')
		return false;
	close = name_end(at, end);
	if (close == NULL)
		return false;
	n = (size_t)(close - at);
	if (n >= sizeof out->name)
		n = sizeof out->name - 1;
	memcpy(out->name, at, n);
	out->pid = (int32_t)pid;
	return take_fields(close + 1, end, out);
}

bool
proc_status_uid(const char *text, uint32_t *out)
{
	const char *at = strstr(text, "\nUid:");
	unsigned long v;
	char *end;

	if (at == NULL)
		return false;
	(void)strtoul(at + 5, &end, 10); /* the real one */
	at = end;
	v = strtoul(at, &end, 10);
	if (end == at || v > UINT32_MAX)
		return false;
	*out = (uint32_t)v;
	return true;
}

int
proc_open(int dir, const char *path)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), high;

	if (fd < 0 || fd >= HIGH)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
	if (high < 0)
		return fd; /* the limit is low: so be it */
	close(fd);
	return high;
}

ssize_t
proc_read(int fd, char *out, size_t size)
{
	ssize_t n;

	do
		n = pread(fd, out, size - 1, 0);
	while (n < 0 && errno == EINTR);
	out[n > 0 ? n : 0] = '\0';
	return n;
}

ssize_t
proc_read_once(int dir, const char *path, char *out, size_t size)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), error;
	ssize_t n;

	if (fd < 0)
		return -1;
	n = proc_read(fd, out, size);
	error = errno;
	close(fd);
	errno = error;
	return n;
}

/* As getdents64(2) writes it; readdir(3) would allocate. */
struct entry {
	uint64_t inode;
	int64_t next;
	uint16_t size;
	uint8_t type;
	char name[];
};

static unsigned
take_numbers(const char *text, ssize_t len, int32_t *out, unsigned n,
	     unsigned max)
{
	for (ssize_t at = 0; at < len;) {
		const struct entry *e = (const void *)(text + at);
		uint64_t v;

		at += e->size;
		if (!parse_u64(e->name, INT32_MAX, &v))
			continue;
		if (n < max)
			out[n] = (int32_t)v;
		n++;
	}
	return n;
}

int
proc_numbers(int dir, const char *path, int32_t *out, unsigned max)
{
	_Alignas(8) char text[4096];
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_DIRECTORY), error;
	unsigned n = 0;
	ssize_t len;

	if (fd < 0)
		return -1;
	while ((len = syscall(SYS_getdents64, fd, text, sizeof text)) > 0)
		n = take_numbers(text, len, out, n, max);
	error = errno;
	close(fd);
	errno = error;
	return len < 0 && n == 0 ? -1 : (int)n;
}
