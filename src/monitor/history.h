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
	HISTORY_RUN_BYTES = 8 << 20, /* memory for the sums, unless
					HISTORY_PARTS_MIN needs more */
	HISTORY_PARTS_MIN = 128,
	HISTORY_RUN_CPUS = 64
};

/* The pointers are borrowed. */
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

void history_redefined(struct history *h, unsigned metric);

/* Did the metric have its current definition `back` frames before the newest?
 */
bool history_means(const struct history *h, unsigned back, unsigned metric);

/* The event set of the frame `back` frames before the newest; NULL: not kept.
 */
const struct eventset *history_set(const struct history *h, unsigned back);

/* Stores the frame. Values of a frame with QUALITY_GAP (means over a gap) can
 * be read only by history_then. The sums of the run skip a frame whose time
 * they already cover, as after seeking back in a recording. Allocates nothing.
 */
void history_push(struct history *h, const struct frame *f);

/* See monitor_history; metric may also be HISTORY_BUSY. */
unsigned history_read(const struct history *h, unsigned scope, unsigned metric,
		      unsigned n, float *out);
/* Bottlenecks (enum bottleneck_word) of up to n frames, oldest first;
 * BOTTLENECK_COUNT: none. Returns their number. */
unsigned history_words(const struct history *h, unsigned scope, unsigned n,
		       uint8_t *out);
unsigned history_times(const struct history *h, unsigned n, float *out);

/* An interval in which the machine slept or ktop was stopped. */
struct history_gap {
	unsigned back; /* number of frames after the frame that has the gap */
	double begin_s, end_s; /* elapsed times of the ends of the frame before
				  the gap and the frame that has it */
	bool slept;            /* the machine slept for most of it */
};

/*
 * Gaps longer than least_s among the newest n frames, newest first; at most
 * `most`.
 */
unsigned history_gaps(const struct history *h, unsigned n, double least_s,
		      struct history_gap *out, unsigned most);

/* As monitor_last, at the frame `back` frames before the newest. */
double history_last(const struct history *h, unsigned back, unsigned scope,
		    unsigned metric, double *age_s);

unsigned history_depth(const struct history *h);

struct stamp history_stamp(const struct history *h, unsigned back);

struct history_rows {
	struct span *span; /* [nscopes] */
	double *value;     /* [nscopes * nmetrics] */
	uint8_t *state;
	struct bottleneck *bottleneck; /* [nscopes]; NULL: not wanted */
	struct headline *headline;
	struct frame_power *power;   /* NULL: power is not wanted */
	struct power_row *power_row; /* [nclusters + 1] */
};

/* Fills *f with the frame `back` frames before the newest. *f must have
 * topology, scopes and sizes; its arrays become those of `rows`. False: the
 * frame is not kept. */
bool history_then(const struct history *h, unsigned back, struct frame *f,
		  const struct history_rows *rows);

/* Fills *f with one frame for the span_s seconds up to the frame `back`: counts
 * are summed and metrics derived from the sums. Gaps, and frames with other
 * events than the last, are left out; false: nothing remains. deviation:
 * [nscopes * (nmetrics + 1)] standard deviations of the values of single
 * frames, the last of each row for busy%; NULL: not wanted. */
bool history_window(const struct history *h, unsigned back, double span_s,
		    struct frame *f, const struct history_rows *rows,
		    double *deviation);

/* Values of a rail in the newest n frames, oldest first; NAN: unknown, or
 * QUALITY_GAP. Returns their number. */
unsigned history_power(const struct history *h, unsigned rail,
		       enum power_value what, unsigned n, float *out);

/* Sums over a rail's spans that ended in the span_s seconds up to the frame
 * `back` frames before the newest. Spans longer than span_s are left out. s is
 * 0 if there are none. */
struct history_energy {
	double joules, s, most_watts;
};
struct history_energy history_energy(const struct history *h, unsigned back,
				     unsigned rail, double span_s);

/* ---- the whole run ---- */

/* The start of the run (elapsed) and the length of a bucket, in seconds. False:
 * no bucket yet. */
bool history_run_begin(const struct history *h, double *begin_s,
		       double *bucket_s);

struct history_plan {
	unsigned first;
	unsigned per;
	unsigned n;    /* dots that have buckets */
	unsigned room; /* dots in the span, of which the last n have buckets */
	unsigned repeat; /* number of times that a chart draws each dot */
	double dot_s;
	double until_s; /* later buckets are ignored */
};

/* Plans a chart of the span_s seconds before until_s (elapsed); span_s 0: of
 * the whole run. A dot covers the same time in every drawing. False: no
 * buckets. */
bool history_run_plan(const struct history *h, double until_s, double span_s,
		      unsigned dots, struct history_plan *out);

/* NAN: none. */
void history_run_read(const struct history *h, const struct history_plan *plan,
		      const struct metric *m, unsigned scope, float *out);

bool history_run_has(const struct history *h, double until_s,
		     const struct metric *m);

/* For tests: the sums that the metric of a row has over the run, in the slots
 * of the first event set that counts it. False: no set does. */
bool history_run_sum(const struct history *h, const struct metric *m,
		     unsigned scope, struct span *out);

#endif
