/*
 * The history of every row: single frames, and sums over the whole run. Metrics
 * are derived from both.
 */
#ifndef MONITOR_HISTORY_H
#define MONITOR_HISTORY_H

#include "base/err.h"
#include "model/frame.h"
#include "model/power.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames: the last 900 (15 minutes at one a second) with the spans of all rows,
 * their bottlenecks, energy and event set; fewer if they would need more than
 * 16 MB, but at least 60. The run: sums of the frames in buckets, by row and
 * event set, without gaps. Buckets have equal lengths from the start of the
 * run; when the buckets, or the memory for their parts, are full, pairs are
 * merged and the length doubles. Rows are the machine, kinds, clusters, and up
 * to HISTORY_RUN_CPUS CPUs. Memory is touched only as it fills. */
enum {
	HISTORY_BYTES = 16 << 20,
	HISTORY_FRAMES = 900,
	HISTORY_FRAMES_MIN = 60,
	HISTORY_BUSY = METRIC_MAX, /* pseudo metric: the busy share */
	HISTORY_BUCKETS = 1024,
	HISTORY_RUN_BYTES = 8 << 20, /* memory for the sums, but at least: */
	HISTORY_PARTS_MIN = 128,
	HISTORY_RUN_CPUS = 64
};

/* Belongs to the monitor; borrowed. */
struct history_of {
	const struct topology *topology;
	const struct catalog *catalog; /* NULL: no events */
	const struct metric *const *metric;
	unsigned nmetrics;
	bool no_stand_in;
};

struct history *history_new(const struct history_of *of, struct err *e);
void history_free(struct history *h);

/* Forgets all frames. The sums of the run stay; history_push skips frames that
 * they cover already. */
void history_clear(struct history *h);

/* The metric has another definition from the next frame on. */
void history_redefined(struct history *h, unsigned metric);

/* Had the metric its current definition `back` frames before the newest? */
bool history_means(const struct history *h, unsigned back, unsigned metric);

/* The set of the frame `back` before the newest; NULL: not kept. */
const struct eventset *history_set(const struct history *h, unsigned back);

/* Stores the frame. Values of a frame with QUALITY_GAP (means over a gap) can
 * be read only by history_then. The sums of the run skip a frame whose time
 * they already cover, as after seeking back in a recording. Allocates nothing.
 */
void history_push(struct history *h, const struct frame *f);

/* As monitor_history; metric may be HISTORY_BUSY. scope < ncpus: a CPU. */
unsigned history_read(const struct history *h, unsigned scope, unsigned metric,
		      unsigned n, float *out);
/* Words of up to n frames, as enum bottleneck_word; BOTTLENECK_COUNT: none. */
unsigned history_words(const struct history *h, unsigned scope, unsigned n,
		       uint8_t *out);
unsigned history_times(const struct history *h, unsigned n, float *out);

/* A longer interval: the machine slept, or ktop did not run. */
struct history_gap {
	unsigned back;         /* frames from the newest to the gap */
	double begin_s, end_s; /* elapsed time at the ends of the previous frame
				  and of this one */
	bool slept;            /* the machine slept for most of it */
};

/*
 * Gaps longer than least_s among the newest n frames, newest first; at most
 * `most`.
 */
unsigned history_gaps(const struct history *h, unsigned n, double least_s,
		      struct history_gap *out, unsigned most);

/* As monitor_last, at the frame `back` before the newest. */
double history_last(const struct history *h, unsigned back, unsigned scope,
		    unsigned metric, double *age_s);

/* Number of kept frames before the newest. */
unsigned history_depth(const struct history *h);

/* The time of a frame in the history. */
struct stamp history_stamp(const struct history *h, unsigned back);

/* The caller's arrays for a frame of the history. */
struct history_rows {
	struct span *span; /* [nscopes] */
	double *value;     /* [nscopes * nmetrics] */
	uint8_t *state;
	struct bottleneck *bottleneck; /* [nscopes]; NULL: not wanted */
	struct headline *headline;
	struct frame_power *power; /* NULL: not wanted; the same for the next */
	struct power_row *power_row; /* [nclusters + 1] */
};

/* The frame `back` before the newest. *f provides topology, scopes and sizes;
 * the rest is overwritten with pointers into rows. False: not kept. */
bool history_then(const struct history *h, unsigned back, struct frame *f,
		  const struct history_rows *rows);

/* The frames of the span_s seconds up to that one as one frame: counts are
 * summed and metrics derived from the sums. Gaps, and frames with other events
 * than the last, are left out; false: nothing remains. deviation: [nscopes *
 * (nmetrics + 1)] standard deviations of the single values, a row's last is for
 * busy%; NULL: not wanted. */
bool history_window(const struct history *h, unsigned back, double span_s,
		    struct frame *f, const struct history_rows *rows,
		    double *deviation);

/* Values of a rail in the newest n frames, oldest first; NAN: unknown, or
 * QUALITY_GAP. Returns their number. */
unsigned history_power(const struct history *h, unsigned rail,
		       enum power_value what, unsigned n, float *out);

/*
 * Sums over a rail's spans that ended in the span_s seconds up to the frame
 * `back` before the newest. Longer spans are left out. s 0: none.
 */
struct history_energy {
	double joules, s, most_watts;
};
struct history_energy history_energy(const struct history *h, unsigned back,
				     unsigned rail, double span_s);

/* ---- the whole run ---- */

/* Elapsed seconds of the start, and length of a bucket; false: none yet. */
bool history_run_begin(const struct history *h, double *begin_s,
		       double *bucket_s);

/* The buckets that each dot of a chart sums. */
struct history_plan {
	unsigned first;  /* bucket of the first dot */
	unsigned per;    /* buckets per dot */
	unsigned n;      /* dots that have buckets */
	unsigned room;   /* dots of the span; only the last n have buckets */
	unsigned repeat; /* how often each dot is drawn, if there are few */
	double dot_s;    /* duration of a drawn dot */
	double until_s;  /* later buckets are ignored */
};

/* Covers the span_s seconds before until_s (elapsed); span_s 0: all. Dots begin
 * at the same times in every drawing. False: no buckets. */
bool history_run_plan(const struct history *h, double until_s, double span_s,
		      unsigned dots, struct history_plan *out);

/* Values of the plan's n dots, oldest first; NAN: none. */
void history_run_read(const struct history *h, const struct history_plan *plan,
		      const struct metric *m, unsigned scope, float *out);

/* Has any bucket up to then counted the metric's events? */
bool history_run_has(const struct history *h, double until_s,
		     const struct metric *m);

/* The row's sums over the run for the metric, with the slots of the first set
 * that counts it. False: no set does. For tests. */
bool history_run_sum(const struct history *h, const struct metric *m,
		     unsigned scope, struct span *out);

#endif
