/* The past of every row: spans, of which metrics are derived as of a frame. */
#ifndef MONITOR_HISTORY_H
#define MONITOR_HISTORY_H

#include "base/err.h"
#include "model/frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The last 900 frames, a quarter of an hour at one a second: the spans of all
 * rows, their verdicts, the event set. More than 16 MB in all is not taken, so
 * that many CPUs go back less far, and never below 60 frames. The memory is
 * touched as it fills.
 */
enum {
	HISTORY_BYTES = 16 << 20,
	HISTORY_FRAMES = 900,
	HISTORY_FRAMES_MIN = 60,
	HISTORY_BUSY = METRIC_MAX /* to read: no metric, the busy share */
};

/* Of the monitor, and borrowed from it. */
struct history_of {
	const struct topology *topology;
	const struct catalog *catalog; /* NULL: no events */
	const struct metric *const *metric;
	unsigned nmetrics;
	bool no_stand_in;
};

struct history *history_new(const struct history_of *of, struct err *e);
void history_free(struct history *h);

/* Forgets everything. */
void history_clear(struct history *h);

/* From the next frame on this is another metric, without a past. */
void history_redefined(struct history *h, unsigned metric);

/* Was the metric the same in the frame `back` before the newest? */
bool history_means(const struct history *h, unsigned back, unsigned metric);

/*
 * The set of the frame `back` before the newest; NULL where the frame is no
 * longer known.
 */
const struct eventset *history_set(const struct history *h, unsigned back);

/*
 * Keeps the frame. Of one with QUALITY_GAP there are no values to read (they
 * are means over a hole), but for history_then. Allocates nothing.
 */
void history_push(struct history *h, const struct frame *f);

/*
 * As monitor_history, or HISTORY_BUSY. scope < ncpus is a CPU, else a group.
 */
unsigned history_read(const struct history *h, unsigned scope, unsigned metric,
		      unsigned n, float *out);
/*
 * The words of up to n frames, as enum verdict_word; VERDICT_COUNT where there
 * was none.
 */
unsigned history_words(const struct history *h, unsigned scope, unsigned n,
		       uint8_t *out);
unsigned history_times(const struct history *h, unsigned n, float *out);

/* A frame that was not like the others: sleep, or ktop stood still. */
struct history_gap {
	unsigned back;         /* frames before the newest */
	double begin_s, end_s; /* elapsed, of the frame before it and of it */
	bool slept;            /* most of it */
};

/*
 * The gaps longer than least_s among the newest n frames, newest first, at
 * most `most`.
 */
unsigned history_gaps(const struct history *h, unsigned n, double least_s,
		      struct history_gap *out, unsigned most);

/*
 * As monitor_last, `back` frames before the newest: the last value not younger
 * than that frame, and its age as of then.
 */
double history_last(const struct history *h, unsigned back, unsigned scope,
		    unsigned metric, double *age_s);

/* Frames before the newest that are still there. */
unsigned history_depth(const struct history *h);

/* When that one was; there is one. */
struct stamp history_stamp(const struct history *h, unsigned back);

/* Arrays for a frame out of the past; the caller's. */
struct history_rows {
	struct span *span; /* [nscopes] */
	double *value;     /* [nscopes * nmetrics] */
	uint8_t *state;
	struct verdict *verdict; /* [nscopes]; NULL: not wanted */
};

/*
 * The frame `back` before the newest, as it was. *f brings topology, scopes and
 * sizes, and the rest of it is overwritten; its pointers become those of rows.
 * False where it is no longer kept.
 */
bool history_then(const struct history *h, unsigned back, struct frame *f,
		  const struct history_rows *rows);

#endif
