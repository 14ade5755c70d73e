#include "source/perf/ops.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
system_open(void *self, struct perf_event_attr *attr, int cpu, int leader)
{
	(void)self;
	return (int)syscall(SYS_perf_event_open, attr, -1, cpu, leader,
			    PERF_FLAG_FD_CLOEXEC);
}

static int
system_open_task(void *self, struct perf_event_attr *attr, int32_t tid,
		 int leader)
{
	(void)self;
	return (int)syscall(SYS_perf_event_open, attr, (pid_t)tid, -1, leader,
			    PERF_FLAG_FD_CLOEXEC);
}

static ssize_t
system_read(void *self, int fd, void *buf, size_t size)
{
	(void)self;
	return read(fd, buf, size);
}

static int
system_ioctl(void *self, int fd, unsigned long request)
{
	(void)self;
	return ioctl(fd, request, 0);
}

static int
system_close(void *self, int fd)
{
	(void)self;
	return close(fd);
}

/* Raising the soft limit needs no privilege. */
static uint64_t
system_limit(void *self, uint64_t want)
{
	struct rlimit r;

	(void)self;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0)
		return UINT64_MAX;
	if (r.rlim_cur >= want)
		return r.rlim_cur;
	r.rlim_cur = r.rlim_max < want ? r.rlim_max : (rlim_t)want;
	if (setrlimit(RLIMIT_NOFILE, &r) != 0 &&
	    getrlimit(RLIMIT_NOFILE, &r) != 0)
		return UINT64_MAX;
	return r.rlim_cur;
}

static void
system_limit_back(void *self, uint64_t to)
{
	struct rlimit r;

	(void)self;
	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_cur <= to)
		return;
	r.rlim_cur = (rlim_t)to;
	(void)setrlimit(RLIMIT_NOFILE, &r);
}

/* Looks only at low numbers: the kernel assigns the lowest free one. */
static uint64_t
system_used(void *self)
{
	enum { LOOK_AT = 256 };
	uint64_t n = 0;

	(void)self;
	for (int fd = 0; fd < LOOK_AT; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* The C library has no wrapper of capset(2). */
static void
system_rights(void *self, uint64_t capabilities, bool on)
{
	struct __user_cap_header_struct h = { _LINUX_CAPABILITY_VERSION_3, 0 };
	struct __user_cap_data_struct data[2] = { { 0 } };

	(void)self;
	if (syscall(SYS_capget, &h, data) != 0)
		return;
	for (int i = 0; i < 2; i++) {
		uint32_t bits = (uint32_t)(capabilities >> 32 * i);

		if (on)
			data[i].effective |= bits & data[i].permitted;
		else
			data[i].effective &= ~bits;
	}
	/* If raising fails, the open fails, too, and reports the error. */
	(void)syscall(SYS_capset, &h, data);
}

const struct perf_ops *
perf_ops_system(void)
{
	static const struct perf_ops ops = {
		.open = system_open,
		.read = system_read,
		.ioctl = system_ioctl,
		.close = system_close,
		.open_task = system_open_task,
		.limit = system_limit,
		.limit_back = system_limit_back,
		.used = system_used,
		.rights = system_rights,
		.msr = true,
	};

	return &ops;
}
