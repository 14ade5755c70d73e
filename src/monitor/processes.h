/*
 * From readings of processes to what a frame says of them: differences by
 * identity, what began and ended, what nobody had, and the last minutes of the
 * busiest.
 */
#ifndef MONITOR_PROCESSES_H
#define MONITOR_PROCESSES_H

#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

struct processes;

enum {
	PROCESSES_PAST = 600, /* frames that are kept */
	PROCESSES_KEPT = 32   /* rows of each, by CPU time, and the pinned */
};

/*
 * The topology is borrowed. past: frames are kept. NULL and *e when memory is
 * short.
 */
struct processes *processes_new(const struct topology *t, bool past,
				struct err *e);
void processes_free(struct processes *p);

/*
 * What processes did since the reading before; f: the frame of the cores in the
 * same tick, for shares and (rest). NULL: this is only a baseline. The table
 * is p's own and holds until the next call. Allocates only where there are more
 * processes than ever before; NULL too where there is no memory for them.
 *
 * Rows. What is seen for the first time is `new`, without numbers, unless it
 * began after the reading before: then all its totals are of this frame (BORN).
 * Counts that fell, or began again (process_read.counting), are `new` too. What
 * is gone is one row more, `ended`, without numbers (PARTIAL); a zombie's last
 * difference is exact, and it is shown once. A row that was not read this time
 * (KEPT, or its counts were missing) has no numbers; its next difference covers
 * all since then (CATCHUP).
 */
const struct process_table *processes_feed(struct processes *p,
					   const struct process_reading *r,
					   const struct frame *f);

/*
 * Nothing was read for a while, or cannot be: the next reading is a baseline,
 * and its rows are `new`.
 */
void processes_gap(struct processes *p);

/* Forgets everything, the past too. */
void processes_clear(struct processes *p);

/*
 * These are kept in the past even if others are busier: pins and what is open.
 * As many as find room; copied.
 */
void processes_keep(struct processes *p, const struct process_request *w);

/*
 * Up to n values of a process, oldest first, NAN where it was not among the
 * kept or not read; the newest is the last frame's. Returns how many.
 */
unsigned processes_past(const struct processes *p, int32_t pid, uint64_t start,
			enum process_metric metric, unsigned n, float *out);

/*
 * The table of the frame with this number (frame.seq), of its kept rows and
 * (rest); NULL: not kept. Valid until the next call of anything here.
 */
const struct process_table *processes_at(const struct processes *p,
					 uint64_t seq);

/*
 * The frames from..last as one: totals are added up and values made of the
 * sums, for the processes kept of any of them. deviation: of the single values.
 */
enum { PROCESS_WINDOW_ROWS = 64 };
struct process_moments { /* of the single values */
	double sum, squares;
	unsigned n;
};
struct process_window {
	unsigned n;
	struct process_row row[PROCESS_WINDOW_ROWS]; /* without names */
	double deviation[PROCESS_WINDOW_ROWS][PROCESS_METRICS];
	struct process_moments moments[PROCESS_WINDOW_ROWS][PROCESS_METRICS];
};
void processes_window(const struct processes *p, uint64_t from, uint64_t last,
		      struct process_window *out);

#endif
