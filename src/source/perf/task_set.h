/* What some threads count, on every kind of core: cycles, instructions, and the
 * events of a set where a person wants them. */
#ifndef SOURCE_PERF_TASK_SET_H
#define SOURCE_PERF_TASK_SET_H

#include "model/process.h"
#include "source/perf/group.h"

/* What one PMU of cores counts of a thread. */
struct task_part {
	unsigned kind;           /* of the topology: the first of it */
	struct group_plan group; /* the pair, and the slots where wanted */
	uint32_t slots;          /* 1 << slot that it counts, or knows */
	/* For one counted; by what cycles are taken for it, 0: not by them. */
	unsigned factor[EVENTSET_MAX], cycles[EVENTSET_MAX];
};

/* What is opened for each thread: a group for each PMU. */
struct task_plan {
	struct group_port *port;
	unsigned nparts;
	struct task_part part[PROCESS_PARTS];
	bool traced;     /* events too; to be changed while no set is open */
	uint32_t off;    /* 1 << slot that the kernel refused, on some part */
	uint32_t absent; /* parts that count nothing, as bits */
	bool user_only;  /* no right to count the kernel's mode */
};

/* Of one thread and part. */
struct task {
	int32_t tid;
	struct group group;
	struct group_count taken[GROUP_WHATS]; /* when all were read last */
};

/* What groups counted while they had their counters: nothing is scaled up. */
struct task_counts {
	uint64_t cycles, instructions, slot[EVENTSET_MAX];
	uint64_t ran_ns, lost_ns; /* lost: of it, without counters */
};

/* Zeroed, it is closed. */
struct task_set {
	unsigned n, room;  /* threads */
	struct task *task; /* [n * nparts] */
	unsigned files;    /* that it has open */
	bool late;       /* the last reading failed: the next covers it, too */
	unsigned failed; /* readings in a row */
	bool starved;    /* it ran, and had no counters while it did */
	/* Since it was opened; the times of parts among them. */
	struct process_totals total;
	struct task_counts counts; /* since whoever wanted them cleared it */
	uint64_t ran_ns;           /* by all, in what the last reading covers */
	uint32_t flags; /* of that reading: PROCESS_SCALED, PROCESS_PARTIAL */
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

/* Files that so many threads take. */
uint64_t task_set_files(const struct task_plan *plan, unsigned n);

/* False: not now, it is late. Those that ended stand still. */
bool task_set_read(struct task_set *t, const struct task_plan *plan);

/* Its room stays, for the next. */
void task_set_close(struct task_set *t, const struct task_plan *plan);
void task_set_free(struct task_set *t);

/*
 * 0, or why `tid` cannot be counted by any part: the errno. Notes in the plan
 * which parts are absent, whether the kernel's mode may be counted, and which
 * slots the kernel refuses.
 */
int task_plan_try(struct task_plan *plan, int32_t tid);

/* The slots that all parts count which are there. */
uint32_t task_plan_slots(const struct task_plan *plan);

#endif
