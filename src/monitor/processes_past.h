/* The last minutes of the busiest processes, in memory taken at once. */
#ifndef MONITOR_PROCESSES_PAST_H
#define MONITOR_PROCESSES_PAST_H

#include "monitor/blobs.h"
#include "monitor/processes.h"

/*
 * Of each frame the values of the rows' metrics lie open, as they are read for
 * trends. All else is packed: as words that differ from those of the same
 * process in the frame that its group of frames begins with. What a row's
 * metrics are made of is in it, so they are made again, by the same code.
 */
enum {
	PROCESSES_GROUP = 16, /* frames that lean on the same one */
	PROCESSES_GROUPS = PROCESSES_PAST / PROCESSES_GROUP + 3
};

struct processes_entry { /* a frame */
	bool kept;
	uint64_t seq;
	uint64_t group; /* its number */
	uint32_t blob;  /* 0: the group's own */
	unsigned n;
	int32_t pid[PROCESSES_KEPT];
	uint64_t start[PROCESSES_KEPT];
	float value[PROCESSES_KEPT][PROCESS_METRICS]; /* NAN of a gap's */
};

struct processes_group {
	uint32_t blob; /* of the first */
	unsigned left; /* of its frames */
};

struct processes_past {
	struct processes_entry *entry; /* [PROCESSES_PAST], by seq; NULL */
	bool any;
	uint64_t first, last; /* seq */
	struct processes_group group[PROCESSES_GROUPS];
	uint64_t ngroups; /* so far; the last is the one that grows */
	unsigned members; /* of that one */
	struct blobs blobs;
	struct processes_work *work; /* while packing and reading */
};

bool processes_past_init(struct processes_past *past);
void processes_past_done(struct processes_past *past);
void processes_past_clear(struct processes_past *past);

/*
 * pin: pids that are kept first. whole: rows were compared with the cores
 * (process_metrics_of). Allocates nothing.
 */
void processes_past_push(struct processes_past *past,
			 const struct process_table *t, bool whole,
			 uint64_t seq, const int32_t *pin, unsigned npins);

/* NULL: not kept. */
const struct processes_entry *
processes_past_at(const struct processes_past *past, uint64_t seq);

/* The frame's table; NULL: not kept. Valid until the next call. */
const struct process_table *
processes_past_table(const struct processes_past *past, uint64_t seq);

#endif
