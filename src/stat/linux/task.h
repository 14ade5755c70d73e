/* Counting a command, or a process that runs, by perf events of its tasks. */
#ifndef STAT_LINUX_TASK_H
#define STAT_LINUX_TASK_H

#include "source/perf/ops.h"
#include "stat/counter.h"

struct counter *counter_task_open(const struct options *o, struct err *e);

/* The same through other calls, borrowed. */
struct counter *counter_task_open_with(const struct options *o,
				       const struct perf_ops *ops,
				       struct err *e);

#endif
