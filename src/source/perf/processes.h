/* What processes use, on Linux: /proc lists them, perf groups count for some.
 */
#ifndef SOURCE_PERF_PROCESSES_H
#define SOURCE_PERF_PROCESSES_H

#include "source/perf/proc_list.h"
#include "source/perf/task_set.h"
#include "source/source.h"

enum {
	TRACKS_TOP = 64,  /* of the busiest, at most */
	TRACKS_PINS = 32, /* chosen by the user */
	TRACKS_PROCESSES = 2 * TRACKS_TOP + TRACKS_PINS,
	TRACKS = TRACKS_PROCESSES + PROCESS_THREADS_MAX,
	USER_NAMES_MAX = 128
};

/* A process that is counted, or one thread of the process that is open. */
struct track {
	bool used;
	int32_t pid;       /* of a thread its own number */
	uint32_t counting; /* another number each time it is opened */
	uint32_t threads;  /* when they were last opened */
	bool leaves_out;   /* threads run that it does not count */
	struct task_set set;
	/* Since window_ns: what its counters and what its ticks say it ran. */
	int64_t window_ns, again_ns, back_off_ns;
	uint64_t ran_ns, ticks_ns, ticks_last_ns;
};

/* Names of users, each asked for once. */
struct user_names {
	unsigned n, oldest;
	struct {
		uint32_t uid;
		char name[PROCESS_USER_SIZE]; /* "": there is none */
	} user[USER_NAMES_MAX];
};

struct perf_processes {
	struct proc_list list;
	struct user_names users;
	struct process_parts parts;
	struct task_plan plan;
	enum process_access why;    /* why nobody is counted; or COUNTED */
	int code;                   /* the errno of that; 0 */
	unsigned ask_in;            /* looks, then that is asked again */
	struct track track[TRACKS]; /* of processes, then of threads */
	uint32_t counting;
	uint64_t files;   /* that counters of processes have open */
	unsigned wanted;  /* processes to be counted at the last look ... */
	unsigned no_room; /* ... of those without counters for want of files */
	/* The process that is open; its list of threads is closed: none. */
	struct proc_list threads;
	int32_t opened;
	uint64_t opened_at;
	struct process_command command;
	char command_of[PROCESS_NAME_SIZE]; /* its name when that was read */
	uint64_t limit_before; /* to be put back; 0: never looked at */
	uint64_t limit;        /* of open files, as far as is known; 0: not */
	bool at_most;          /* there cannot be more */
	uint64_t busy;         /* /proc/stat's at the reading before */
	uint64_t boot_wall_s;  /* when the machine started; 0: unknown */
};

/* Events of processes, taken on request. Zeroed, nothing is taken. */
struct perf_traced {
	bool on, refused;
	bool crowded;  /* what the last reading covers lacked counters */
	bool in_vain;  /* the pair found none though the cores gave all */
	bool other;    /* what was read last is of another set, in part */
	unsigned keep; /* slots of a kind that are counted, at most */
	char why[PROCESS_TRACED_WHY];
};

struct perf_source;

/* ---- processes.c ---- */

/* Where there is a list of them, info.processes says so. */
void perf_processes_open(struct perf_source *s);
void perf_processes_close(struct perf_source *s);

/* They go on with the source that takes the place of `old`. */
void perf_processes_move(struct perf_source *s, struct perf_source *old);

/* source_ops.processes */
bool perf_processes_read(struct source *base, const struct process_wish *w,
			 struct process_reading *out, struct err *e);

/* What of the row its counters say. */
void perf_processes_counts(const struct perf_processes *p,
			   const struct proc_entry *e,
			   struct process_read *row);

/* Files that may be open for processes; raises the limit for `want`. */
uint64_t perf_processes_files(struct perf_source *s, uint64_t want);

/* ---- tracks.c ---- */

/* Reads the counters: right after the look at the list. */
void perf_tracks_read(struct perf_source *s, int64_t awake_ns);

/* Who is counted from now on. */
void perf_tracks_choose(struct perf_source *s, const struct process_wish *w,
			int64_t awake_ns);

/* Looks at the threads of the process that is open, and fills their rows. */
void perf_tracks_threads(struct perf_source *s, const struct process_wish *w,
			 const struct stamp *now, struct process_reading *out);

/* Of those that have ended, and were read for the last time. */
void perf_tracks_drop_gone(struct perf_source *s);

/* Of all; who is counted is chosen anew. */
void perf_tracks_close(struct perf_source *s);

/* ---- traced.c ---- */

/*
 * What the last reading of the counters says, and then as it is wished: who is
 * counted is chosen by another plan then. Between perf_tracks_read and
 * perf_tracks_choose.
 */
void perf_traced_read(struct perf_source *s, const struct process_wish *w,
		      struct process_traced *out);

/* After the threads of the process that is open were read: those, and files. */
void perf_traced_finish(struct perf_source *s, struct process_traced *out);

/* Cycles and instructions alone, of the part's kind. */
void perf_traced_plan_pair(const struct perf_source *s, struct task_part *to);

/* Closes what counts them. */
void perf_traced_stop(struct perf_source *s);

#endif
