/* What the kernel is asked for counters: calls that tests can answer instead.
 */
#ifndef SOURCE_PERF_OPS_H
#define SOURCE_PERF_OPS_H

#include "base/clock.h"

#include <linux/perf_event.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* As the system calls: -1 and errno on failure. */
struct perf_ops {
	void *self;
	/* perf_event_open for any process on `cpu`; E2BIG changes *attr. */
	int (*open)(void *self, struct perf_event_attr *attr, int cpu,
		    int leader);
	/* The same for a thread, on any CPU. NULL: none is counted. */
	int (*open_task)(void *self, struct perf_event_attr *attr, int32_t tid,
			 int leader);
	ssize_t (*read)(void *self, int fd, void *buf, size_t size);
	int (*ioctl)(void *self, int fd, unsigned long request);
	int (*close)(void *self, int fd);
	/* Raises the limit of open files to `want` if it may; what it is. */
	uint64_t (*limit)(void *self, uint64_t want);
	/* Puts the limit back. NULL: it stays. */
	void (*limit_back)(void *self, uint64_t to);
	/* Files that are open now. NULL: none. */
	uint64_t (*used)(void *self);
	/*
	 * Makes capabilities (1 << number) effective that are permitted, or
	 * takes them back. NULL: not asked for.
	 */
	void (*rights)(void *self, uint64_t capabilities, bool on);
	const struct clock *clock;
	bool msr; /* the CPUs' clocks may be read by the PMU of that name */
};

const struct perf_ops *perf_ops_system(void);

#endif
