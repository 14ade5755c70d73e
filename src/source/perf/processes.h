/* What processes use, on Linux: /proc lists them, perf groups count for some.
 */
#ifndef SOURCE_PERF_PROCESSES_H
#define SOURCE_PERF_PROCESSES_H

#include "source/perf/opened.h"
#include "source/perf/proc_list.h"
#include "source/perf/tracker.h"
#include "source/perf/user_names.h"
#include "source/source.h"

struct perf_processes {
	struct proc_list list;
	struct user_names users;
	struct tracker tracker;
	struct opened opened;
	struct process_parts parts;
	uint64_t limit_before; /* to be put back; 0: never looked at */
	uint64_t limit;        /* of open files, as far as is known; 0: not */
	bool at_most;          /* there cannot be more */
	uint64_t busy;         /* /proc/stat's at the reading before */
	uint64_t boot_wall_s;  /* when the machine started; 0: unknown */
};

struct perf_source;

/* Where there is a list of them, info.processes says so. */
void perf_processes_open(struct perf_source *s);
void perf_processes_close(struct perf_source *s);

/* They go on with the source that takes the place of `old`. */
void perf_processes_move(struct perf_source *s, struct perf_source *old);

/* source_ops.processes */
bool perf_processes_read(struct source *base, const struct process_wish *w,
			 struct process_reading *out, struct err *e);

#endif
