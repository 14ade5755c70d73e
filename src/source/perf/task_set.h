/* Cycles and instructions of some threads, on every kind of core. */
#ifndef SOURCE_PERF_TASK_SET_H
#define SOURCE_PERF_TASK_SET_H

#include "model/process.h"
#include "source/perf/group.h"

/* What is opened for each thread: a group for each PMU of cores. */
struct task_plan {
	struct group_port *port;
	unsigned nparts;
	struct {
		struct perf_code code[FIXED_COUNT];
	} part[PROCESS_PARTS];
	uint32_t absent; /* parts that count nothing, as bits */
	bool user_only;  /* no right to count the kernel's mode */
	bool no_threads; /* a kernel that cannot follow threads alone (5.12) */
};

struct task_count {
	uint64_t enabled, running, value[FIXED_COUNT];
};

struct task {
	int32_t tid;
	int fd[PROCESS_PARTS][FIXED_COUNT]; /* -1: none */
	struct task_count now[PROCESS_PARTS], last[PROCESS_PARTS];
};

/* Zeroed, it is closed. */
struct task_set {
	unsigned n, room;
	struct task *task; /* [n] */
	unsigned files;    /* that it has open */
	bool late;       /* the last reading failed: the next covers it, too */
	unsigned failed; /* readings in a row */
	/* Since it was opened; the times of parts among them. */
	struct process_totals total;
	uint64_t ran_ns; /* by all, in what the last reading covers */
	uint32_t flags;  /* of that reading: PROCESS_SCALED, PROCESS_PARTIAL */
};

/*
 * Opens and starts it; follow: threads that these make are counted too, where
 * the kernel can. 0, or the errno, and nothing is open: ESRCH where all have
 * ended, EMFILE where more than `files` would be opened.
 */
int task_set_open(struct task_set *t, struct task_plan *plan,
		  const int32_t *tid, unsigned n, bool follow, uint64_t files);

/*
 * Where threads are not followed: opens those that came, right after a reading,
 * and closes those that ended. As task_set_open; what is open stays.
 */
int task_set_renew(struct task_set *t, struct task_plan *plan,
		   const int32_t *tid, unsigned n, uint64_t files);

/* Files that one of so many threads takes. */
uint64_t task_set_files(const struct task_plan *plan, unsigned n);

/* False: not now, it is late. Those that ended stand still. */
bool task_set_read(struct task_set *t, const struct task_plan *plan);

/* Its room stays, for the next. */
void task_set_close(struct task_set *t, const struct task_plan *plan);
void task_set_free(struct task_set *t);

/*
 * 0, or why `tid` cannot be counted by any part: the errno. Notes in the plan
 * which parts are absent, and whether the kernel's mode may be counted.
 */
int task_plan_try(struct task_plan *plan, int32_t tid);

#endif
