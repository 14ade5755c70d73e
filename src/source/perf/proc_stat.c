#include "source/perf/proc_stat.h"

#include "source/perf/sysfs.h"

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
	for (unsigned n = 0; n < t->ncpus; n++) {
		unsigned i = (*next + n) % t->ncpus;

		if (t->cpu[i].id == id) {
			*next = i + 1;
			return (int)i;
		}
	}
	return -1;
}

static void
take_line(const char *s, struct cpu_sample *out)
{
	uint64_t field[FIELDS] = { 0 };
	char *end;

	for (unsigned f = 0; f < FIELDS; f++) {
		field[f] = strtoull(s, &end, 10);
		if (end == s)
			break;
		s = end;
	}
	out->total = 0;
	for (unsigned f = 0; f < FIELDS; f++)
		out->total += field[f];
	out->busy = out->total - field[IDLE] - field[IOWAIT];
	out->busy_known = true;
}

void
proc_stat_read(struct proc_stat *p, const struct topology *t,
	       struct sample *out)
{
	unsigned next = 0;
	size_t len = 0;
	char *line;

	if (p->fd < 0)
		return;
	while (len < p->size - 1) {
		ssize_t n = pread(p->fd, p->text + len, p->size - 1 - len,
				  (off_t)len);

		if (n <= 0)
			break;
		len += (size_t)n;
	}
	p->text[len] = '\0';
	p->len = len;
	p->busy = 0;
	/* The first line is the sum, a line cut at the end is not ours. */
	for (line = strchr(p->text, '\n'); line != NULL;
	     line = strchr(line, '\n')) {
		char *end;
		int cpu;

		line++;
		if (strncmp(line, "cpu", 3) != 0 || strchr(line, '\n') == NULL)
			break;
		cpu = find_cpu(t, (int)strtol(line + 3, &end, 10), &next);
		if (cpu < 0)
			continue;
		take_line(end, &out->cpu[cpu]);
		p->busy += out->cpu[cpu].busy;
	}
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
