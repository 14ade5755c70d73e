/* Bottlenecks of all rows, frame by frame: what was counted lately, and calm.
 */
#ifndef MONITOR_BOTTLENECKS_H
#define MONITOR_BOTTLENECKS_H

#include "base/err.h"
#include "model/frame.h"
#include "model/bottleneck.h"

struct bottleneck_past; /* of one row */
struct voices;          /* of one group */

struct slower_row; /* the last minute of one row */

/* Of CPUs and clusters. */
struct slower {
	unsigned nrows;
	int64_t span; /* number of the present one, from the start */
	struct slower_row *row;
};

struct bottlenecks {
	const struct topology *topology;
	unsigned nscopes;
	unsigned named; /* row that the headline is of; nscopes: none */
	int metric[MEASURE_COUNT]; /* indices in the frame */
	int ipc, lost;
	bool possible[MEASURE_COUNT];
	double there_s[MEASURE_COUNT]; /* when a set last counted it */
	unsigned nlately; /* measures that one did not long ago, in order */
	uint8_t lately[MEASURE_COUNT];
	struct bottleneck *bottleneck; /* [nscopes] */
	struct bottleneck_past *past;  /* [nscopes] */
	double *weight;                /* [ncpus] cycles a second */
	struct voices *voices;         /* [groups] */
	struct slower slower;
};

/* For frames of that topology; catalog NULL: no events. */
bool bottlenecks_init(struct bottlenecks *v, const struct topology *t,
		      const struct catalog *catalog, unsigned nscopes,
		      struct err *e);
void bottlenecks_done(struct bottlenecks *v);

/* Forgets what was counted and said before. */
void bottlenecks_restart(struct bottlenecks *v);

/*
 * Judges all rows of a frame that has everything else; counted: a bit for each
 * of the metrics that the frame's set counts. Writes the metric
 * `lost_pct` into value and state, which are the frame's own arrays. A CPU's
 * word changes when another has held for three frames; what was counted up to a
 * minute ago counts on while the row's IPC is within a quarter of what it was
 * then, after some seconds without flag and loss. What is not known, and far
 * slower than up to a minute ago, says so.
 * Allocates nothing.
 */
void bottlenecks_take(struct bottlenecks *v, const struct frame *f,
		      const uint64_t *counted, double *value, uint8_t *state);

#endif
