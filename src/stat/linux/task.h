/* Counting a command, or a process that runs, by perf events of its tasks. */
#ifndef STAT_LINUX_TASK_H
#define STAT_LINUX_TASK_H

#include "source/perf/ops.h"
#include "stat/stat.h"

/* As counter_open, through other calls, borrowed. */
struct counter *counter_task_open_with(const struct options *o,
				       const struct perf_ops *ops,
				       struct err *e);

/* Of one event on one kind of core, all threads together. */
struct task_value {
	bool open;
	uint64_t count;
	uint64_t enabled; /* ns that the task ran, on whatever kind */
	uint64_t running; /* of those, the ns that this was counted */
};

/*
 * The count of all kinds; false: it was never counted. A task runs on one kind
 * at a time, so each kind's share is no reason to scale; only what no kind
 * counted is. *factor: by how much that was, 1: it is exact.
 */
bool task_sum(const struct task_value *kind, unsigned nkinds, double *count,
	      double *factor);

#endif
