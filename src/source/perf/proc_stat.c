#include "source/perf/proc_stat.h"

#include "source/perf/sysfs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* "cpu123 " and ten numbers of up to 20 digits. */
enum { LINE_SIZE = 230 };

/* user nice system idle iowait irq softirq steal; guest is in user. */
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

/* Index of CPU id; the file has them in the topology's order. */
static int
find_cpu(const struct topology *t, int id, unsigned *next)
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

/* The digits at *s, behind blanks; false: there are none. */
static bool
take_number(const char **s, uint64_t *out)
{
	const char *p = *s;

	while (*p == ' ')
		p++;
	unsigned digit = (unsigned)*p - '0';
	uint64_t v = digit;

	if (digit > 9)
		return false;
	while ((digit = (unsigned)*++p - '0') <= 9)
		v = v * 10 + digit;
	*s = p;
	*out = v;
	return true;
}

/* A CPU's line, behind its "cpu"; its end, or NULL: it was cut. */
static const char *
take_line(struct proc_stat *p, const char *line, const struct topology *t,
	  unsigned *next, struct sample *out)
{
	uint64_t id = 0, field[FIELDS] = { 0 }, total = 0;
	bool named = take_number(&line, &id) && id <= INT_MAX;

	for (unsigned f = 0; f < FIELDS && take_number(&line, &field[f]); f++)
		total += field[f];
	const char *end = strchr(line, '\n');
	int cpu = end != NULL && named ? find_cpu(t, (int)id, next) : -1;

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
read_text(struct proc_stat *p)
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
	p->len = read_text(p);
	p->busy = 0;
	/* The first line is the sum, a line cut at the end is not ours. */
	line = memchr(p->text, '\n', p->len);
	while (line != NULL && strncmp(line + 1, "cpu", 3) == 0)
		line = take_line(p, line + 4, t, &next, out);
}

/* Of a line that is whole; text begins with a line end where it counts. */
static void
take_value(const char *text, const char *key, uint64_t *out)
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
	take_value(p->text, "\nprocesses ", tasks);
	take_value(p->text, "\nbtime ", boot_s);
	memcpy(text, p->text + p->len - have, have);
	/* One line may be long, that of interrupts; a later one is cut. */
	while ((n = pread(p->fd, text + have, PIECE, at)) > 0) {
		at += n;
		have += (size_t)n;
		text[have] = '\0';
		take_value(text, "\nprocesses ", tasks);
		take_value(text, "\nbtime ", boot_s);
		if (have > CARRY) {
			memmove(text, text + have - CARRY, CARRY);
			have = CARRY;
		}
	}
}
