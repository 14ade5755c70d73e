/* Counts a command, or a running process, by perf events of its tasks. */
#ifndef STAT_LINUX_TASK_H
#define STAT_LINUX_TASK_H

#include "source/perf/ops.h"
#include "stat/stat.h"

/* As counter_open, with other kernel calls (borrowed). */
struct counter *counter_task_open_with(const struct options *o,
				       const struct perf_ops *ops,
				       struct err *e);

/* Count of one event on one kind of core, in all threads. */
struct task_value {
	bool open;
	uint64_t count;
	uint64_t enabled; /* ns that the task ran, on any kind */
	uint64_t running; /* of these, the ns that this event was counted */
};

/* The count over all kinds; false: it was never counted. A task runs on one
 * kind at a time, so waiting on the other kinds is not scaled up; only time
 * that no kind counted is. *factor: the scaling; 1: exact. */
bool task_sum(const struct task_value *kind, unsigned nkinds, double *count,
	      double *factor);

#endif
