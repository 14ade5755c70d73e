/* What processes use, on Linux: /proc lists them, perf groups count for some.
 */
#ifndef SOURCE_PERF_PROCESSES_H
#define SOURCE_PERF_PROCESSES_H

#include "source/perf/proc_list.h"
#include "source/perf/user_names.h"
#include "source/source.h"

struct perf_processes {
	struct proc_list list;
	struct user_names users;
	uint64_t limit;       /* of open files, as far as is known; 0: not */
	bool at_most;         /* there cannot be more */
	uint64_t boot_wall_s; /* when the machine started; 0: unknown */
};

struct perf_source;

/* Where there is a list of them, info.processes says so. */
void perf_processes_open(struct perf_source *s);
void perf_processes_close(struct perf_source *s);

/* source_ops.processes */
bool perf_processes_read(struct source *base, const struct process_wish *w,
			 struct process_reading *out, struct err *e);

#endif
