/* From samples to frames: differences, guards, sums, metrics, history. */
#ifndef MONITOR_MONITOR_H
#define MONITOR_MONITOR_H

#include "model/frame.h"
#include "monitor/history.h"

struct monitor;
struct processes;  /* of monitor/processes.h */
struct power_join; /* of monitor/power.h */

struct monitor_options {
	int64_t period_ns; /* asked for; only to call a frame late */
	const struct catalog *catalog; /* borrowed for the monitor's life; NULL:
					  no events, IPC only */
	bool rows_may_be_stale;        /* kpc: rows can be old without an error
					  (xnu kpc.counters with CPUs off line) */
	const struct metric *extra_metrics; /* the user's, borrowed; NULL */
	unsigned nextra;
	bool no_past; /* keep no history: nobody will look back */
	/* For what has no place for a mark: see VALUE_MODES. */
	bool no_stand_in;
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
 * What cannot be told: where the library fills rows that were withheld with
 * what it had, they look silent and say off, as those of the CPUs that are;
 * and a row that was read for somebody else before its CPU went off is newer
 * than ours, so it passes once. Counts are never wrong by it, and no total.
 *
 * A sample of a recording (sample.recorded) is a whole frame, also the first:
 * its counts and what was said of them stand, all else is derived again.
 */
const struct frame *monitor_feed(struct monitor *m, const struct sample *s);

/*
 * Would a reading of the processes be of the same moment as the last sample,
 * and of use? Not of one that came with a change of events alone.
 */
bool monitor_processes_due(const struct monitor *m);

/*
 * What the processes did in the last frame, which gets them (frame.processes);
 * after a baseline they are one too. To be called right after monitor_feed,
 * with a reading of the same moment. Takes memory at the first call. False and
 * *e: there is none.
 */
bool monitor_feed_processes(struct monitor *m, const struct process_reading *r,
			    struct err *e);

/* These are kept in the past also when others are busier; copied. */
void monitor_keep_processes(struct monitor *m, const struct process_request *w);

/* The past of processes; NULL before the first reading of them. */
const struct processes *monitor_processes(const struct monitor *m);

/* Takes finished spans of energy before a sample is fed: monitor/power.h. */
struct power_join *monitor_power(struct monitor *m);

/*
 * Can a metric be made of the events of a process, and its value; NAN: there is
 * none, *few: it is of too few events to be reliable. s: events of a row of the
 * last frame's table.
 */
bool monitor_traces(const struct monitor *m, unsigned metric);
double monitor_traced(const struct monitor *m, const struct span *s,
		      unsigned metric, bool *few);
/*
 * What its cycles go to, by this frame alone; kind: of the cores that it ran
 * on. BOTTLENECK_UNKNOWN: it is not told.
 */
enum bottleneck_word monitor_traced_word(const struct monitor *m,
					 const struct span *s, unsigned kind);

/*
 * Forgets all readings and the past, as if nothing had been fed yet: before a
 * recording goes on somewhere else. The sums of the run stay: they know their
 * frames by their times.
 */
void monitor_restart(struct monitor *m);

/*
 * Frames come at another interval from now on. One that covers half an interval
 * more than that was late, or the machine was slow to read: it says `late`.
 */
void monitor_period(struct monitor *m, int64_t period_ns);

/* Tells the next frame that a tick was late or deadlines were stepped over. */
void monitor_late(struct monitor *m, uint64_t missed, bool late);

/*
 * After the first reading: numbers, times and health go on from those of
 * another monitor of the same machine, which had other CPUs then. What was
 * counted in between is a gap.
 */
void monitor_go_on(struct monitor *m, const struct monitor *from);

/* For gaps that no clock shows: a pause of the source (IPC mode, ^Z). */
void monitor_gap(struct monitor *m);

/*
 * One of extra_metrics is another now: nothing that was counted before is its
 * value. It is counted from the next reading on. Allocates nothing.
 */
void monitor_redefined(struct monitor *m, unsigned metric);

/* All that is kept of the frames before; NULL with no_past. */
const struct history *monitor_past(const struct monitor *m);

/*
 * Up to n values of a metric, oldest first, NAN where there was none; gap
 * frames are NAN too. Returns how many were written. The newest is the last
 * frame's.
 */
static inline unsigned
monitor_history(const struct monitor *m, unsigned scope, unsigned metric,
		unsigned n, float *out)
{
	const struct history *h = monitor_past(m);

	return h != NULL ? history_read(h, scope, metric, n, out) : 0;
}

/* Elapsed seconds of the same frames, for time axes. */
static inline unsigned
monitor_history_times(const struct monitor *m, unsigned n, float *out)
{
	const struct history *h = monitor_past(m);

	return h != NULL ? history_times(h, n, out) : 0;
}

/*
 * The newest frame values that carry a metric although its events are not in
 * the set now: the last value of that row and its age in seconds; NAN if never.
 */
double monitor_last(const struct monitor *m, unsigned scope, unsigned metric,
		    double *age_s);

unsigned monitor_metric_count(const struct monitor *m);
const struct metric *monitor_metric(const struct monitor *m, unsigned metric);

#endif
