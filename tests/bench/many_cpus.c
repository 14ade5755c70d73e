/*
 * For LD_PRELOAD: a machine of MANY_CPUS processors whose counters all count,
 * in the files of the folder MANY_ROOT. All counters and ticks of a look are of
 * one moment, that in which /proc/stat was read.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum {
	FILES = 20000,
	MEMBERS = 16,
	KINDS = 7,
	LINE = 100,
	CYCLES = 0x76, /* AMD's */
	INSTRUCTIONS = 0xc0
};

static struct event {
	bool used, software;
	int cpu, leader;
	uint64_t config, since_ns;
	int member[MEMBERS], nmembers;
} event[FILES];

static struct {
	const char *root;
	unsigned ncpus;
	uint64_t now_ns;
	int stat_fd;
	char *text; /* of /proc/stat */
	size_t len;
} machine = { .stat_fd = -1 };

static long (*real_syscall)(long, ...);
typedef int scan(const char *, struct dirent ***,
		 int (*)(const struct dirent *),
		 int (*)(const struct dirent **, const struct dirent **));
static scan *real_scandir;
static int (*real_open)(const char *, int, ...);
static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);
static int (*real_ioctl)(int, unsigned long, ...);
static int (*real_close)(int);

static void
look(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	machine.now_ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((constructor)) static void
begin(void)
{
	const char *n = getenv("MANY_CPUS");

	real_syscall = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	real_open = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
	real_scandir = (scan *)dlsym(RTLD_NEXT, "scandir");
	real_read = (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
	real_pread = (ssize_t(*)(int, void *, size_t, off_t))dlsym(RTLD_NEXT,
								   "pread");
	real_ioctl =
		(int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
	real_close = (int (*)(int))dlsym(RTLD_NEXT, "close");
	machine.root = getenv("MANY_ROOT");
	machine.ncpus = n != NULL ? (unsigned)strtoul(n, NULL, 10) : 0;
	machine.text = malloc((machine.ncpus + 1) * (size_t)LINE);
	look();
}

static struct event *
find(int fd)
{
	return fd >= 0 && fd < FILES && event[fd].used ? &event[fd] : NULL;
}

static long
open_event(const struct perf_event_attr *attr, int cpu, int leader)
{
	int fd = real_open("/dev/null", O_RDWR | O_CLOEXEC);
	struct event *l;

	if (fd < 0 || fd >= FILES)
		return fd;
	event[fd] =
		(struct event){ .used = true,
				.software = attr->type == PERF_TYPE_SOFTWARE,
				.cpu = cpu,
				.config = attr->config,
				.since_ns = machine.now_ns - 1,
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
				  (int)a[2], (int)a[3]);
	return real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* The same file or folder of our machine; the path itself where it has none. */
static const char *
ours(const char *path, char *full, size_t size)
{
	static const char *const begins[] = { "/sys/devices/", "/sys/bus/",
					      "/proc/stat", "/proc/cpuinfo" };

	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (strncmp(path, begins[i], strlen(begins[i])) == 0) {
			snprintf(full, size, "%s%s", machine.root, path);
			return full;
		}
	return path;
}

int
open(const char *path, int flags, ...)
{
	char full[4096];
	va_list args;
	int mode, fd;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	fd = real_open(ours(path, full, sizeof full), flags, mode);
	if (strcmp(path, "/proc/stat") == 0)
		machine.stat_fd = fd;
	return fd;
}

int
scandir(const char *path, struct dirent ***names,
	int (*filter)(const struct dirent *),
	int (*order)(const struct dirent **, const struct dirent **))
{
	char full[4096];

	return real_scandir(ours(path, full, sizeof full), names, filter,
			    order);
}

/* As long as on a machine that ran for weeks. */
static void
write_stat(void)
{
	uint64_t ticks = machine.now_ns / 10000000;
	char *p = machine.text;

	p += sprintf(p, "cpu  0 0 0 0\n");
	for (unsigned i = 0; i < machine.ncpus; i++) {
		uint64_t busy = ticks * (i % KINDS) / KINDS;

		p += sprintf(p, "cpu%u %llu 1234 5678901 %llu 3456 0 12 0 0\n",
			     i, 18446744 + (unsigned long long)busy,
			     987654321 + (unsigned long long)(ticks - busy));
	}
	machine.len = (size_t)(p - machine.text);
}

ssize_t
pread(int fd, void *buf, size_t size, off_t at)
{
	if (fd < 0 || fd != machine.stat_fd)
		return real_pread(fd, buf, size, at);
	if (at == 0) {
		look();
		write_stat();
	}
	if ((size_t)at >= machine.len)
		return 0;
	if (size > machine.len - (size_t)at)
		size = machine.len - (size_t)at;
	memcpy(buf, machine.text + at, size);
	return (ssize_t)size;
}

/* 3 GHz while it is busy, a little while not; every CPU has its own IPC. */
static uint64_t
count(const struct event *m, uint64_t ns)
{
	uint64_t of = (uint64_t)m->cpu * 7 + 3;
	uint64_t cycles = ns / KINDS * 3 * ((uint64_t)m->cpu % KINDS) + ns / 99;

	if (m->software)
		return ns / 1000000;
	if (m->config == CYCLES)
		return cycles;
	if (m->config == INSTRUCTIONS)
		return cycles / 10 * (3 + of % 29);
	return cycles / (100 + of * m->config % 1000);
}

/* The leader's times, then value and id of each. */
ssize_t
read(int fd, void *buf, size_t size)
{
	struct event *e = find(fd);
	uint64_t *w = buf, ns;

	if (e == NULL)
		return real_read(fd, buf, size);
	if (size < (size_t)(3 + 2 * e->nmembers) * sizeof *w) {
		errno = ENOSPC;
		return -1;
	}
	ns = machine.now_ns - e->since_ns;
	w[0] = (uint64_t)e->nmembers;
	w[1] = w[2] = ns;
	for (int i = 0; i < e->nmembers; i++) {
		w[3 + 2 * i] = count(&event[e->member[i]], ns);
		w[4 + 2 * i] = (uint64_t)e->member[i] + 1;
	}
	return (ssize_t)(3 + 2 * w[0]) * (ssize_t)sizeof *w;
}

int
ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	return find(fd) != NULL ? 0 : real_ioctl(fd, request, arg);
}

int
close(int fd)
{
	struct event *e = find(fd);

	if (e != NULL)
		e->used = false;
	return real_close(fd);
}
