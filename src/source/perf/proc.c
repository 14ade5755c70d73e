#include "source/perf/state.h"

#include "base/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	PARENT = 4,
	FLAGS = 9,
	USER = 14,
	SYSTEM = 15,
	THREADS = 20,
	START = 22,
	KERNEL_THREAD = 0x200000, /* PF_KTHREAD */
	HIGH = 256 /* least number of kept descriptors, if the limit allows */
};

static uint8_t
process_state_from_letter(char letter)
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

/* False, with *at unchanged: no digits, or the number is above max. */
static bool
parse_digits(const char **at, const char *end, uint64_t max, uint64_t *out)
{
	const char *p = *at;
	uint64_t v = 0;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		uint64_t digit = (uint64_t)(*p - '0');

		if (v > (max - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	if (p == *at)
		return false;
	*at = p;
	*out = v;
	return true;
}

static bool
parse_field_number(const char **at, const char *end, uint64_t max,
		   uint64_t *out)
{
	return parse_digits(at, end, max, out) && *at < end &&
	       (**at == ' ' || **at == '\n' || **at == '\t');
}

static uint64_t
field_maximum(unsigned field)
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

static bool
parse_stat_fields(const char *at, const char *end, struct proc_line *out)
{
	uint64_t value[START + 1] = { 0 };

	if (end - at < 2 || *at++ != ' ')
		return false;
	out->state = process_state_from_letter(*at++);
	for (unsigned field = PARENT; field <= START; field++) {
		uint64_t most = field_maximum(field);

		if (at == end || *at++ != ' ')
			return false;
		if (most != 0 &&
		    !parse_field_number(&at, end, most, &value[field]))
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

/* A name may contain ')': the last one ends it. */
static const char *
find_name_end(const char *begin, const char *end)
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
	if (!parse_field_number(&at, end, INT32_MAX, &pid) || *at++ != ' ' ||
	    at == end || *at++ != '(')
		return false;
	close = find_name_end(at, end);
	if (close == NULL)
		return false;
	n = (size_t)(close - at);
	if (n >= sizeof out->name)
		n = sizeof out->name - 1;
	memcpy(out->name, at, n);
	out->pid = (int32_t)pid;
	return parse_stat_fields(close + 1, end, out);
}

bool
proc_status_uid(const char *text, uint32_t *out)
{
	const char *at = strstr(text, "\nUid:");
	unsigned long v;
	char *end;

	if (at == NULL)
		return false;
	(void)strtoul(at + 5, &end, 10);
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
		return fd; /* the descriptor limit is too low */
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

int
proc_numbers(int dir, const char *path, int32_t *out, unsigned max)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *entry;
	unsigned n = 0;
	uint64_t v;

	if (d == NULL) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	while ((entry = readdir(d)) != NULL) {
		if (!parse_u64(entry->d_name, INT32_MAX, &v))
			continue;
		if (n < max)
			out[n] = (int32_t)v;
		n++;
	}
	(void)closedir(d);
	return (int)n;
}

enum { LINE_SIZE = 230 };

/* Fields: user nice system idle iowait irq softirq steal (guest is in user). */
enum { IDLE = 3, IOWAIT = 4, FIELDS = 8 };

bool
proc_stat_open(struct proc_stat *p, const char *root, unsigned ncpus)
{
	p->size = ((size_t)ncpus + 2) * LINE_SIZE;
	p->text = malloc(p->size);
	p->fd = -1;
	p->len = 0;
	p->busy = 0;
	if (p->text == NULL)
		return false;
	p->fd = sysfs_open(root, "/proc/stat");
	return true;
}

void
proc_stat_close(struct proc_stat *p)
{
	if (p->fd >= 0)
		close(p->fd);
	free(p->text);
	p->text = NULL;
	p->fd = -1;
}

static int
topology_find_next_cpu(const struct topology *t, int id, unsigned *next)
{
	unsigned i = *next < t->ncpus ? *next : 0;

	for (unsigned n = 0; n < t->ncpus; n++) {
		if (t->cpu[i].id == id) {
			*next = i + 1;
			return (int)i;
		}
		if (++i == t->ncpus)
			i = 0;
	}
	return -1;
}

static bool
parse_cpu_field(const struct proc_stat *p, const char **at, uint64_t *out)
{
	*at += strspn(*at, " ");
	return parse_digits(at, p->text + p->len, UINT64_MAX, out);
}

static const char *
parse_cpu_line(struct proc_stat *p, const char *line, const struct topology *t,
	       unsigned *next, struct sample *out)
{
	uint64_t id = 0, field[FIELDS] = { 0 }, total = 0;
	bool named = parse_cpu_field(p, &line, &id) && id <= INT_MAX;

	for (unsigned f = 0; f < FIELDS && parse_cpu_field(p, &line, &field[f]);
	     f++)
		total += field[f];
	const char *end = strchr(line, '\n');
	int cpu = end != NULL && named
			  ? topology_find_next_cpu(t, (int)id, next)
			  : -1;

	if (cpu < 0)
		return end;
	struct cpu_sample *c = &out->cpu[cpu];

	c->total = total;
	c->busy = total - field[IDLE] - field[IOWAIT];
	c->busy_known = true;
	p->busy += c->busy;
	return end;
}

static size_t
proc_stat_read_text(struct proc_stat *p)
{
	size_t len = 0;

	while (len < p->size - 1) {
		ssize_t n = pread(p->fd, p->text + len, p->size - 1 - len,
				  (off_t)len);

		if (n <= 0)
			break;
		len += (size_t)n;
	}
	p->text[len] = '\0';
	return len;
}

void
proc_stat_read(struct proc_stat *p, const struct topology *t,
	       struct sample *out)
{
	unsigned next = 0;
	const char *line;

	if (p->fd < 0)
		return;
	p->len = proc_stat_read_text(p);
	p->busy = 0;
	line = memchr(p->text, '\n', p->len);
	while (line != NULL && strncmp(line + 1, "cpu", 3) == 0)
		line = parse_cpu_line(p, line + 4, t, &next, out);
}

/* Accepts whole lines only; `key` starts with a newline. */
static void
parse_key_value(const char *text, const char *key, uint64_t *out)
{
	const char *at = strstr(text, key);
	uint64_t v;
	char *end;

	if (at == NULL)
		return;
	at += strlen(key);
	v = strtoull(at, &end, 10);
	if (end > at && *end == '\n')
		*out = v;
}

void
proc_stat_since_boot(struct proc_stat *p, uint64_t *tasks, uint64_t *boot_s)
{
	enum { PIECE = 4096, CARRY = 48 };
	char text[CARRY + PIECE + 1];
	size_t have = p->len < CARRY ? p->len : CARRY;
	off_t at = (off_t)p->len;
	ssize_t n = 0;

	if (p->fd < 0)
		return;
	p->text[p->len] = '\0';
	parse_key_value(p->text, "\nprocesses ", tasks);
	parse_key_value(p->text, "\nbtime ", boot_s);
	memcpy(text, p->text + p->len - have, have);
	/* The line of interrupts may be longer than a piece. */
	while ((n = pread(p->fd, text + have, PIECE, at)) > 0) {
		at += n;
		have += (size_t)n;
		text[have] = '\0';
		parse_key_value(text, "\nprocesses ", tasks);
		parse_key_value(text, "\nbtime ", boot_s);
		if (have > CARRY) {
			memmove(text, text + have - CARRY, CARRY);
			have = CARRY;
		}
	}
}
