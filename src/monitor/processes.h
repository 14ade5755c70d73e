/* Makes the process table of a frame from readings: differences by identity,
 * processes that started and ended, the unattributed rest, and the history of
 * the busiest. */
#ifndef MONITOR_PROCESSES_H
#define MONITOR_PROCESSES_H

#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

struct processes;

enum {
	PROCESSES_PAST = 600,
	PROCESSES_KEPT = 32 /* rows of a frame: pinned ones, and the busiest */
};

/* The topology is borrowed. past: keep a history. NULL and *e: no memory. */
struct processes *processes_new(const struct topology *t, bool past,
				struct err *e);
void processes_free(struct processes *p);

/* Returns the table of the processes' differences since the last reading. f:
 * the cores' frame of the same interval, for shares and (unattributed); NULL:
 * the reading is only a baseline. The table is valid until the next call.
 * Allocates only if there are more processes than ever before; NULL: no memory
 * for them. A process seen for the first time is `new`, without numbers, unless
 * it started after the last reading: then all its totals belong to this frame
 * (BORN). A process whose counts decreased has no numbers (RESTARTED), and a
 * process whose counting restarted (process_read.counting) has no counts. A
 * missing process has a last row, `ended`, without numbers (PARTIAL); a zombie
 * has an exact last difference and is shown once. A row that was not read
 * (KEPT, or without counts) has no numbers; its next difference covers the time
 * since its last reading (CATCHUP). */
const struct process_table *processes_feed(struct processes *p,
					   const struct process_reading *r,
					   const struct frame *f);

/* The next reading is only a baseline, with all rows `new`. */
void processes_gap(struct processes *p);

/* Forgets everything, the history too. */
void processes_clear(struct processes *p);

void processes_keep(struct processes *p, const struct process_request *w);

/* Writes up to n values of a process to out, oldest first; the newest is that
 * of the last frame. NAN: not kept, not read, or a gap. Returns the number of
 * values. */
unsigned processes_past(const struct processes *p, int32_t pid, uint64_t start,
			enum process_metric metric, unsigned n, float *out);

/*
 * The kept rows and the unattributed rest of the frame with that number
 * (frame.seq); NULL: not kept. Valid until the next call of this module.
 */
const struct process_table *processes_at(const struct processes *p,
					 uint64_t seq);

/* The frames from..last as one frame, for processes kept in any of them: totals
 * are summed and values derived from the sums. deviation: standard deviations
 * of the single values. */
enum { PROCESS_WINDOW_ROWS = 64 };
struct process_moments {
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
