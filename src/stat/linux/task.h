/* Counts a command, or a running process, by perf events of its tasks. */
#ifndef STAT_LINUX_TASK_H
#define STAT_LINUX_TASK_H

#include "source/perf/ops.h"
#include "stat/stat.h"

/* counter_open with replaceable kernel calls; ops is borrowed. */
struct counter *counter_task_open_with(const struct options *o,
				       const struct perf_ops *ops,
				       struct err *e);

/* Count of one event on one kind of core, in all threads. */
struct task_value {
	bool open;
	uint64_t count;
	uint64_t enabled; /* ns that the task ran, on any kind of core */
	uint64_t running; /* ns of `enabled` in which this event was counted */
};

/* The count over all kinds of core; false: never counted. A task runs on one
 * kind at a time: only the time in which no kind counted is scaled up, by
 * *factor (1: exact). */
bool task_sum(const struct task_value *kind, unsigned nkinds, double *count,
	      double *factor);

#endif
