/* The threads of the one process that a person has opened. */
#ifndef SOURCE_PERF_OPENED_H
#define SOURCE_PERF_OPENED_H

#include "source/perf/tracker.h"

struct opened {
	bool used;
	int32_t pid;
	uint64_t start;
	struct proc_list list; /* of threads */
	struct task_set set[PROCESS_THREADS_MAX];
	uint32_t counting[PROCESS_THREADS_MAX];
	unsigned nsets; /* below it are all that are in use */
	struct process_command command;
	char name[PROCESS_NAME_SIZE]; /* when that was read */
};

/* Looks at the threads of the one wished for, and fills their rows. */
void opened_look(struct opened *o, struct tracker *t, struct proc_list *all,
		 const char *root, const struct process_wish *w,
		 const struct tracker_files *files, const struct stamp *now,
		 struct process_reading *out);

void opened_close(struct opened *o, struct tracker *t);

#endif
