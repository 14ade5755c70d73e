/* From samples to frames: differences, guards, sums, metrics, history. */
#ifndef MODEL_MONITOR_H
#define MODEL_MONITOR_H

#include "model/frame.h"

struct monitor;

struct monitor_options {
	int64_t period_ns;             /* asked for; only to call a tick late */
	const struct catalog *catalog; /* borrowed for the monitor's life; NULL:
					  no events, IPC only */
	bool rows_may_be_stale;        /* kpc: rows can be old without an error
					  (xnu kpc.counters with CPUs off line) */
	const struct metric *extra_metrics; /* the user's; NULL */
	unsigned nextra;
};

/* The topology is borrowed for the monitor's life. NULL and *e on failure. */
struct monitor *monitor_new(const struct topology *t,
			    const struct monitor_options *o, struct err *e);
void monitor_free(struct monitor *m);

/*
 * Takes a reading. Pure: no allocation, no clock, no system call. Returns the
 * frame since the reading before (owned by the monitor, valid until the next
 * call), or NULL when this reading is only a baseline: the first one, and one
 * flagged SAMPLE_BASELINE after a swap (that one re-bases the slots only, so
 * the fixed counts go on without a gap).
 *
 * Rows. With rows_may_be_stale, of N CPUs M came missing and S delivered
 * without progress (fixed counters equal, lower, or beyond 10 GHz times the
 * time): the S are off; the missing are all off if S = 0, else stale, as they
 * are where nothing came at all (M = N, no reading). A rejected row never
 * becomes the baseline; the next good one covers the longer interval (catchup).
 * Two rejected readings in a row that agree with each other but not with the
 * baseline are a reset: re-base, lost.
 *
 * A sample of a recording (sample.recorded) is a whole frame, also the first:
 * its counts and what was said of them stand, all else is derived again.
 */
const struct frame *monitor_feed(struct monitor *m, const struct sample *s);

/*
 * Forgets all readings and the past, as if nothing had been fed yet: before a
 * recording goes on somewhere else.
 */
void monitor_restart(struct monitor *m);

/* Tells the next frame that a tick was late or deadlines were stepped over. */
void monitor_late(struct monitor *m, uint64_t missed, bool late);

/* For gaps that no clock shows: a pause of the source (IPC mode, ^Z). */
void monitor_gap(struct monitor *m);

/*
 * Up to n values of a metric, oldest first, NAN where there was none; gap
 * frames are NAN too. Returns how many were written. The newest is the last
 * frame's.
 */
unsigned monitor_history(const struct monitor *m, unsigned scope,
			 unsigned metric, unsigned n, float *out);

/* Elapsed seconds of the same frames, for time axes. */
unsigned monitor_history_times(const struct monitor *m, unsigned n, float *out);

/*
 * The newest frame values that carry a metric although its events are not in
 * the set now: the last value of that row and its age in seconds; NAN if never.
 */
double monitor_last(const struct monitor *m, unsigned scope, unsigned metric,
		    double *age_s);

unsigned monitor_metric_count(const struct monitor *m);
const struct metric *monitor_metric(const struct monitor *m, unsigned metric);

#endif
