/* Kernel calls that tests replace. */
#ifndef SOURCE_PERF_OPS_H
#define SOURCE_PERF_OPS_H

#include "base/clock.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Calls return -1 and errno as the system calls do. */
struct perf_ops {
	void *self;
	/* perf_event_open for all processes on `cpu`. E2BIG sets attr->size. */
	int (*open)(void *self, struct perf_event_attr *attr, int cpu,
		    int leader);
	/* As open, for a thread on any CPU. NULL: threads are not counted. */
	int (*open_task)(void *self, struct perf_event_attr *attr, int32_t tid,
			 int leader);
	ssize_t (*read)(void *self, int fd, void *buf, size_t size);
	int (*ioctl)(void *self, int fd, unsigned long request);
	int (*close)(void *self, int fd);
	/* Raises RLIMIT_NOFILE to `want` if possible. Returns the limit. */
	uint64_t (*limit)(void *self, uint64_t want);
	/* Restores the limit. NULL: the limit stays. */
	void (*limit_back)(void *self, uint64_t to);
	/* Number of open files. NULL: assume none. */
	uint64_t (*used)(void *self);
	/* Raises or drops capabilities (mask of 1 << number). May be NULL. */
	void (*rights)(void *self, uint64_t capabilities, bool on);
	const struct clock *clock;
	bool msr; /* the PMU "msr" may be opened */
};

const struct perf_ops *perf_ops_system(void);

#endif
