/*
 * For LD_PRELOAD: a processor whose counters are others'.
 *	HELD_AS=busy  opening any for the hardware fails with EBUSY
 *	HELD_AS=held  all open, and those for the hardware never get a counter
 *	HELD_AS=free  all open, and count: 3 instructions in 2 cycles a ns
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FILES = 4096, MEMBERS = 16 };

static struct event {
	bool used, hardware, enabled;
	int leader;
	uint32_t type;
	uint64_t config, since_ns;
	int member[MEMBERS], nmembers;
} event[FILES];

static long (*real_syscall)(long, ...);
static ssize_t (*real_read)(int, void *, size_t);
static int (*real_ioctl)(int, unsigned long, ...);
static int (*real_close)(int);

__attribute__((constructor)) static void
begin(void)
{
	real_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	real_read = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	real_ioctl =
		(int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	real_close = (int (*)(int))dlsym(RTLD_NEXT, "close");
}

static struct event *
find(int fd)
{
	return fd >= 0 && fd < FILES && event[fd].used ? &event[fd] : NULL;
}

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool
is(const char *how)
{
	const char *word = getenv("HELD_AS");

	return word != NULL && strcmp(word, how) == 0;
}

static long
open_event(const struct perf_event_attr *attr, int leader)
{
	bool hardware = attr->type != PERF_TYPE_SOFTWARE;
	struct event *l;
	int fd;

	if (hardware && is("busy")) {
		errno = EBUSY;
		return -1;
	}
	fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (fd < 0 || fd >= FILES)
		return fd;
	event[fd] = (struct event){ .used = true,
				    .hardware = hardware,
				    .enabled = !attr->disabled,
				    .type = attr->type,
				    .config = attr->config,
				    .since_ns = now_ns(),
				    .leader = leader < 0 ? fd : leader };
	l = &event[event[fd].leader];
	if (l->nmembers < MEMBERS)
		l->member[l->nmembers++] = fd;
	return fd;
}

long
syscall(long number, ...)
{
	long a[6];
	va_list args;

	va_start(args, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(args, long);
	va_end(args);
	if (number == SYS_perf_event_open)
		return open_event((const struct perf_event_attr *)a[0],
				  (int)a[3]);
	return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The leader's times, then value and id of each. */
ssize_t
read(int fd, void *buf, size_t size)
{
	struct event *e = find(fd);
	uint64_t *w = buf, ns;
	bool any = false;

	if (e == NULL)
		return real_read(fd, buf, size);
	if (size < (size_t)(3 + 2 * e->nmembers) * sizeof *w) {
		errno = ENOSPC;
		return -1;
	}
	for (int i = 0; i < e->nmembers; i++)
		any = any || event[e->member[i]].hardware;
	ns = e->enabled ? now_ns() - e->since_ns : 0;
	w[0] = (uint64_t)e->nmembers;
	w[1] = ns;
	w[2] = any && is("held") ? 0 : ns;
	for (int i = 0; i < e->nmembers; i++) {
		const struct event *m = &event[e->member[i]];

		w[3 + 2 * i] =
			w[2] * (m->type == PERF_TYPE_HARDWARE && m->config == 1
					? 3
					: 2);
		w[4 + 2 * i] = (uint64_t)e->member[i] + 1;
	}
	return (ssize_t)(3 + 2 * w[0]) * (ssize_t)sizeof *w;
}

int
ioctl(int fd, unsigned long request, ...)
{
	struct event *e = find(fd);
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (e == NULL)
		return real_ioctl(fd, request, arg);
	for (int i = 0; i < e->nmembers; i++)
		event[e->member[i]].enabled = true;
	e->since_ns = now_ns();
	return 0;
}

int
close(int fd)
{
	struct event *e = find(fd);

	if (e != NULL) {
		struct event *l = &event[e->leader];
		int n = 0;

		for (int i = 0; i < l->nmembers; i++)
			if (l->member[i] != fd)
				l->member[n++] = l->member[i];
		l->nmembers = n;
		e->used = false;
	}
	return real_close(fd);
}
