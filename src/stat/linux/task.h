/* Counting a command, or a process that runs, by perf events of its tasks. */
#ifndef STAT_LINUX_TASK_H
#define STAT_LINUX_TASK_H

#include "stat/counter.h"

#include <linux/perf_event.h>
#include <sys/types.h>

/* What the kernel is asked; as the system calls: -1 and errno. */
struct task_ops {
	void *self;
	/* perf_event_open for a task on whatever CPU. */
	int (*open)(void *self, struct perf_event_attr *attr, int32_t task,
		    int leader);
	ssize_t (*read)(void *self, int fd, void *buf, size_t size);
	int (*enable)(void *self, int fd);
	int (*close)(void *self, int fd);
};

struct counter *counter_task_open(const struct options *o, struct err *e);

/* The same through other calls, borrowed. */
struct counter *counter_task_open_with(const struct options *o,
				       const struct task_ops *ops,
				       struct err *e);

#endif
