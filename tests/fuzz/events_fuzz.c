/*
 * --events on a Linux machine: names, raw codes, pmu/term=value/ lists. The
 * kernel's side is /sys of a hybrid machine, written once, and opens that
 * succeed without a counter.
 */
#include "source/perf/perf.h"
#include "source/perf/ops.h"
#include "source/tree.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_MAX = 1024, FIRST_FD = 1000 };

static char root[64];
static int opened;

static void
check(int ok)
{
	if (!ok)
		abort();
}

static void
leave(void)
{
	tree_remove(root);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	check(tree_unpack("alderlake-12900k", root, sizeof(root)));
	(void)atexit(leave);
	return 0;
}

static int
fake_open(void *self, struct perf_event_attr *attr, int cpu, int leader)
{
	(void)self;
	(void)attr;
	(void)cpu;
	(void)leader;
	return FIRST_FD + opened++;
}

static ssize_t
fake_read(void *self, int fd, void *buf, size_t size)
{
	(void)self;
	(void)fd;
	memset(buf, 0, size);
	return (ssize_t)size;
}

static int
fake_ioctl(void *self, int fd, unsigned long request)
{
	(void)self;
	(void)fd;
	(void)request;
	return 0;
}

static int
fake_close(void *self, int fd)
{
	(void)self;
	check(fd >= FIRST_FD);
	opened--;
	return 0;
}

static uint64_t
fake_limit(void *self, uint64_t want)
{
	(void)self;
	return want;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_ops ops = { .open = fake_open,
				.read = fake_read,
				.ioctl = fake_ioctl,
				.close = fake_close,
				.limit = fake_limit,
				.clock = clock_system() };
	struct source_options o = { .root = root };
	struct err e = { ERR_NONE, "" };
	char text[TEXT_MAX];

	if (size >= sizeof(text))
		return 0;
	memcpy(text, data, size);
	text[size] = '\0';
	o.events = text;
	opened = 0;
	struct source *s = perf_open_with(&o, &ops, &e);

	if (s == NULL) {
		check(e.code != ERR_NONE && e.text[0] != '\0');
		return 0;
	}
	const struct catalog *c = s->info.catalog;

	for (unsigned i = 0; c != NULL && i < c->len; i++) {
		check(c->event[i].name != NULL && c->event[i].name[0] != '\0');
		check(i == 0 ||
		      strcmp(c->event[i - 1].name, c->event[i].name) < 0);
	}
	s->ops->close(s);
	check(opened == 0);
	return 0;
}
