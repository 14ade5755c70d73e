/* What the processes of a recording come to, each over all of its frames. */
#ifndef ANALYSIS_DIGEST_PROCESSES_H
#define ANALYSIS_DIGEST_PROCESSES_H

#include "base/err.h"
#include "model/process.h"
#include "model/span.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	DIGEST_PROCESSES_MAX = 1 << 16,
	DIGEST_EVENTS = 24 /* of processes; more are left out, counted */
};

/*
 * An event, and the instructions that were counted together with it in the same
 * modes; 0: none were.
 */
struct digest_counted {
	uint64_t count, instructions;
};

/* One by its identity: two lives of a pid are two. */
struct digest_process {
	int32_t pid;
	uint64_t start;
	char name[PROCESS_NAME_SIZE]; /* the last that it had */
	char user[PROCESS_USER_SIZE];
	uint32_t known;    /* of one frame or more; parts of all that count */
	uint32_t unsplit;  /* parts that a frame lacks */
	uint32_t flags;    /* of any frame */
	uint64_t frames;   /* with a row of it */
	uint64_t denied;   /* of those, where the system refused its counts */
	double interval_s; /* that they cover */
	struct process_totals d;
	/* Where events of processes were counted: its cycles in those frames,
	   and of them what was seen with the events. */
	uint64_t counted_cycles, event_cycles;
	struct digest_counted event[DIGEST_EVENTS];
};

struct digest_processes {
	unsigned n, room;
	struct digest_process *row; /* [n], by CPU time when finished */
	unsigned *slot;             /* hash: index + 1; 0 is free */
	unsigned slots;
	uint64_t frames;   /* that say what processes did */
	double seconds;    /* of those frames */
	uint64_t left_out; /* rows that found no room; they are in `others` */
	struct digest_process others, rest;
	bool has_rest, has_others;
	struct process_parts parts; /* of the last frame */
	uint32_t domains;           /* 1 << enum domain of the frames */
	unsigned nevents;
	char event[DIGEST_EVENTS][EVENT_NAME_SIZE];
	/* What the cores counted in the frames in which processes' events were,
	   and 1 << event that they did not in one of them. */
	struct digest_process cores;
	uint32_t unknown_events;
	unsigned left_out_events;
};

/* NULL and *e when memory is short. */
struct digest_processes *digest_processes_new(struct err *e);
void digest_processes_free(struct digest_processes *p);

/* What the cores counted in a frame. */
struct digest_cores {
	const struct span *span;
	enum domain domain; /* of the events */
	const struct eventset *set;
};

/*
 * Those of one frame, as of a recording. Where its rest is unknown since counts
 * came late, it is what is between the cores and the rows: less than nothing,
 * and as much more in another frame. False and *e: memory is short.
 */
bool digest_processes_add(struct digest_processes *p,
			  const struct process_reading *r,
			  const struct digest_cores *cores, int64_t interval_ns,
			  struct err *e);

/* After the last frame: the most CPU time first. */
void digest_processes_finish(struct digest_processes *p);

/*
 * After that: those of one name become one, with pid -1, in the order of names.
 */
void digest_processes_by_name(struct digest_processes *p);
/* Then; NULL: there is none of that name. */
const struct digest_process *
digest_process_named(const struct digest_processes *p, const char *name);

/* All of these are NAN where it is not known. */
/* Of an event: its count, per 1000 instructions, and the part (0 to 1) that it
 * is of the cores' counts. */
double digest_process_events(const struct digest_processes *in,
			     const struct digest_process *p, unsigned event);
double digest_process_rate(const struct digest_process *p, unsigned event);
double digest_process_part(const struct digest_processes *in,
			   const struct digest_process *p, unsigned event);
double digest_process_cpu_s(const struct digest_process *p);
double digest_process_p_share(const struct digest_process *p);
double digest_process_ipc(const struct digest_process *p);
/* On the first kind of core (0), or on all others (1). */
double digest_process_ipc_on(const struct digest_process *p, unsigned part);

#endif
