/* Who is counted: the busiest processes, those pinned, the one opened. */
#ifndef SOURCE_PERF_TRACKER_H
#define SOURCE_PERF_TRACKER_H

#include "source/perf/proc_list.h"
#include "source/perf/task_set.h"

enum {
	TRACKER_TOP_MAX = 64,
	TRACKER_PINS_MAX = 32,
	TRACKER_MAX = 2 * TRACKER_TOP_MAX + TRACKER_PINS_MAX
};

struct track {
	bool used;
	int32_t pid;
	uint32_t counting; /* another number each time it is opened */
	uint32_t threads;  /* when they were last opened */
	bool leaves_out;   /* threads run that it does not count */
	struct task_set set;
	/* Since window_ns: what its counters and what its ticks say it ran. */
	int64_t window_ns, again_ns, back_off_ns;
	uint64_t ran_ns, ticks_ns, ticks_last_ns;
};

struct tracker {
	struct task_plan plan;
	enum process_access why; /* why nobody is counted; or COUNTED */
	int code;                /* the errno of that; 0 */
	unsigned ask_in;         /* looks, then that is asked again */
	unsigned n;              /* tracks below which all are that are used */
	struct track track[TRACKER_MAX];
	uint32_t counting;
	uint64_t files;   /* that counters of processes have open */
	unsigned wanted;  /* processes to be counted at the last look ... */
	unsigned no_room; /* ... of those without counters for want of files */
};

/* How many files there may be for counters, if some more are wanted. */
struct tracker_files {
	void *self;
	uint64_t (*room)(void *self, uint64_t want);
};

/* Reads the counters: right after the look at the list. */
void tracker_read(struct tracker *t, struct proc_list *l, int64_t awake_ns);

/* Who is counted from now on. */
void tracker_choose(struct tracker *t, struct proc_list *l,
		    const struct process_wish *w,
		    const struct tracker_files *files, int64_t awake_ns);

/* Of one that has ended, and was read for the last time. */
void tracker_drop(struct tracker *t, struct proc_entry *e);

/* What is known of one that is counted. */
uint32_t tracker_known(const struct tracker *t);

/* The errno of an open in a row's word; 0: counted. */
enum process_access tracker_access(int code);

void tracker_close(struct tracker *t, struct proc_list *l);

#endif
