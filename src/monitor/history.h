/*
 * The past of every row: spans of single frames, and their sums over the whole
 * run. Metrics are derived of both as of a frame.
 */
#ifndef MONITOR_HISTORY_H
#define MONITOR_HISTORY_H

#include "base/err.h"
#include "model/frame.h"
#include "model/power.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The last 900 frames, a quarter of an hour at one a second: the spans of all
 * rows, their bottlenecks, the event set. More than 16 MB in all is not taken,
 * so that many CPUs go back less far, and never below 60 frames.
 *
 * The whole run in buckets: the sums of all frames in a bucket's time, by row
 * and event set, but of frames that are a gap. Buckets are equally long and
 * begin with the run; when they are full, or the memory for their parts is,
 * neighbours become one and all are twice as long. Rows are the machine, kinds
 * and clusters, and CPUs where there are at most HISTORY_RUN_CPUS.
 *
 * The memory is touched as it fills.
 */
enum {
	HISTORY_BYTES = 16 << 20,
	HISTORY_FRAMES = 900,
	HISTORY_FRAMES_MIN = 60,
	HISTORY_BUSY = METRIC_MAX, /* to read: no metric, the busy share */
	HISTORY_BUCKETS = 1024,
	HISTORY_RUN_BYTES = 8 << 20, /* of sums, but at least this: */
	HISTORY_PARTS_MIN = 128,
	HISTORY_RUN_CPUS = 64
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

/* Forgets all frames; the sums of the run know theirs by their times. */
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
 * are means over a hole), but for history_then. To the run a frame is added
 * unless its time has been before, in a recording that was gone back in.
 * Allocates nothing; merging goes over all sums, but ever more rarely.
 */
void history_push(struct history *h, const struct frame *f);

/*
 * As monitor_history, or HISTORY_BUSY. scope < ncpus is a CPU, else a group.
 */
unsigned history_read(const struct history *h, unsigned scope, unsigned metric,
		      unsigned n, float *out);
/*
 * The words of up to n frames, as enum bottleneck_word; BOTTLENECK_COUNT where
 * there was none.
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
	struct bottleneck *bottleneck; /* [nscopes]; NULL: not wanted */
	struct headline *headline;
	struct frame_power *power;   /* NULL: not wanted; else the next, too */
	struct power_row *power_row; /* [nclusters + 1] */
};

/*
 * The frame `back` before the newest, as it was. *f brings topology, scopes and
 * sizes, and the rest of it is overwritten; its pointers become those of rows.
 * False where it is no longer kept.
 */
bool history_then(const struct history *h, unsigned back, struct frame *f,
		  const struct history_rows *rows);

/*
 * The same of the frames in the span_s seconds up to that one, as one frame:
 * counts are added up, metrics derived of the sums. Frames that are a gap, or
 * counted other events than the last, are left out. deviation: of the single
 * frames' values, [nscopes * (nmetrics + 1)], the last of a row that of its
 * busy share; NULL: not wanted. False also where all are left out.
 */
bool history_window(const struct history *h, unsigned back, double span_s,
		    struct frame *f, const struct history_rows *rows,
		    double *deviation);

/*
 * Values of a rail of the newest n frames, oldest first; NAN where it was not
 * known, and of frames with QUALITY_GAP. Returns how many.
 */
unsigned history_power(const struct history *h, unsigned rail,
		       enum power_value what, unsigned n, float *out);

/*
 * What a rail used in the spans that ended in the span_s seconds up to the
 * frame `back` before the newest; a longer span is left out. s 0: none did.
 */
struct history_energy {
	double joules, s, most_watts;
};
struct history_energy history_energy(const struct history *h, unsigned back,
				     unsigned rail, double span_s);

/* ---- the whole run ---- */

/* Elapsed seconds when the run began, and of a bucket; false: none yet. */
bool history_run_begin(const struct history *h, double *begin_s,
		       double *bucket_s);

/* Some buckets for so many dots. */
struct history_plan {
	unsigned first;  /* bucket of the first dot */
	unsigned per;    /* buckets that a dot sums up */
	unsigned n;      /* dots with buckets */
	unsigned room;   /* dots of the span: the n are its last */
	unsigned repeat; /* times each is drawn: there are few buckets */
	double dot_s;    /* what a dot drawn stands for */
	double until_s;  /* nothing later is looked at */
};

/*
 * The span_s before until_s, both elapsed seconds; a span of 0 is all. Dots
 * are cut at the same times whenever it is drawn. False where there is nothing.
 */
bool history_run_plan(const struct history *h, double until_s, double span_s,
		      unsigned dots, struct history_plan *out);

/* The metric of the n dots of the plan, oldest first; NAN where none. */
void history_run_read(const struct history *h, const struct history_plan *plan,
		      const struct metric *m, unsigned scope, float *out);

/* Has a bucket up to then counted what the metric needs? */
bool history_run_has(const struct history *h, double until_s,
		     const struct metric *m);

/*
 * The sums of a row that the metric is made of, of the whole run: slots are
 * those of the first set that counts it. False: none does. For checks.
 */
bool history_run_sum(const struct history *h, const struct metric *m,
		     unsigned scope, struct span *out);

#endif
