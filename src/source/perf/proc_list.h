/*
 * The processes that /proc lists, look by look. What slept costs a look of a
 * microsecond: its time on a CPU stands still, and so does all else.
 */
#ifndef SOURCE_PERF_PROC_LIST_H
#define SOURCE_PERF_PROC_LIST_H

#include "base/clock.h"
#include "source/perf/proc_file.h"

#include <dirent.h>

struct proc_entry {
	int32_t pid;
	int stat_fd, sched_fd; /* kept; -1: opened for each look */
	struct proc_line line;
	uint64_t ran_ns; /* by its only thread, as the scheduler counts it */
	bool ran_known;
	/* Its time on CPUs: within the ticks of `line`, but finer. */
	uint64_t user_ns, system_ns;
	uint64_t user_before_ns, system_before_ns, grew_ns; /* since then */
	int64_t started_awake_ns;                           /* 0: long ago */
	uint32_t uid;
	unsigned looks;
	bool gone;       /* it ended: removed at the next look */
	bool unreadable; /* what is said of it makes no sense */
	bool moved;      /* it ran since the look before */
	bool missed;     /* not looked at now, or in vain: all is as it was */
	bool listed;     /* by the listing that goes on */
	unsigned slept;  /* looks in a row at which it had not run */
	bool shown;      /* had a row at the last look */
	/* The counters' own (task_groups.h). */
	int group;      /* -1: none */
	unsigned below; /* looks in a row out of the busiest */
	uint8_t access; /* enum process_access while group is -1 */
	unsigned forgo; /* looks without an attempt to count it */
};

struct proc_list {
	DIR *dir;       /* of /proc; NULL: none */
	bool schedstat; /* the kernel has it */
	bool copied;    /* of another root: its files belong to anybody */
	bool threads;   /* its entries are threads of one process */
	uint64_t tick_ns;
	int64_t before_ns;        /* awake time of the look before; 0: none */
	struct proc_entry *entry; /* [n] by pid, then start */
	unsigned n, room;
	unsigned kept, keep; /* descriptors, and how many there may be */
	unsigned turn;       /* of those that sleep for long */
};

/* False: there is nothing to list below root + /proc. */
bool proc_list_open(struct proc_list *l, const char *root);

/* The threads of one of `all` as entries; false: it has ended. */
bool proc_list_open_threads(struct proc_list *l, const struct proc_list *all,
			    const char *root, int32_t pid);
void proc_list_close(struct proc_list *l);

/*
 * A look at those that ran lately, and in turn at those that sleep for long;
 * at all, if these do not account for busy_ns, what CPUs did since the look
 * before (UINT64_MAX: not known). False and *e: memory is short.
 */
bool proc_list_look(struct proc_list *l, const struct stamp *now,
		    uint64_t busy_ns, struct err *e);

/* Where entries with that pid are, or would be. */
unsigned proc_list_place(const struct proc_list *l, int32_t pid);

/* The live one with that pid, or NULL. Holds until the next look. */
struct proc_entry *proc_list_find(const struct proc_list *l, int32_t pid);

/* What its threads ran since the look before, as counters have it. */
void proc_list_refine(const struct proc_list *l, struct proc_entry *e,
		      uint64_t ran_ns);

/* Closes files that are kept, of those that slept, to keep `keep` at most. */
void proc_list_trim(struct proc_list *l, unsigned keep);

#endif
