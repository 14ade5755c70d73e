/* Makes frames from samples: differences, checks, sums, metrics, history. */
#ifndef MONITOR_MONITOR_H
#define MONITOR_MONITOR_H

#include "model/frame.h"
#include "monitor/history.h"

struct monitor;
struct processes;  /* of monitor/processes.h */
struct power_join; /* of monitor/power.h */

struct monitor_options {
	int64_t period_ns;
	const struct catalog
		*catalog; /* borrowed; NULL: no events, fixed counters only */
	bool rows_may_be_stale; /* kpc: rows may be old without an error (xnu
				   kpc.counters, offline CPUs) */
	const struct metric *extra_metrics; /* the user's metrics, borrowed */
	unsigned nextra;
	bool no_past;
	/* for outputs that cannot mark ratios of different modes (VALUE_MODES)
	 */
	bool no_stand_in;
};

/* The topology is borrowed. NULL and *e on failure. */
struct monitor *monitor_new(const struct topology *t,
			    const struct monitor_options *o, struct err *e);
void monitor_free(struct monitor *m);

/* Processes a reading, without allocation, clock or system call. Returns the
 * frame since the last reading (the monitor's, valid until the next call).
 * NULL: the reading is only a baseline, as the first one is. After an event
 * change (SAMPLE_BASELINE) only the slots get a new baseline: fixed counts
 * continue. Rows: with rows_may_be_stale, M of N CPUs may be missing, and S may
 * have no progress (fixed counters equal, lower, or above 10 GHz times the
 * time). The S CPUs are off. The missing CPUs are off if S = 0, else stale; if
 * all are missing (M = N), they are stale. A rejected row never becomes the
 * baseline: the next good one covers the longer time (catchup). Two consecutive
 * rejected readings that agree with each other but not with the baseline are a
 * reset: new baseline, lost. Two cases are not detected: a library that fills
 * withheld rows with old values makes CPUs appear off, and a row that was read
 * for another program before its CPU went off is accepted once. Neither makes a
 * count or a total wrong. A sample of a recording (sample.recorded) is a whole
 * frame, also the first: its counts and quality are kept, everything else is
 * derived again. */
const struct frame *monitor_feed(struct monitor *m, const struct sample *s);

bool monitor_processes_due(const struct monitor *m);

/* Sets frame.processes to the processes' differences in the last frame; after a
 * baseline the reading is a baseline, too. Call right after monitor_feed, with
 * a reading of the same time. Allocates in the first call. False and *e: no
 * memory. */
bool monitor_feed_processes(struct monitor *m, const struct process_reading *r,
			    struct err *e);

/* Keeps these processes in the history even if others are busier; copied. */
void monitor_keep_processes(struct monitor *m, const struct process_request *w);

/* NULL before the first reading of processes. */
const struct processes *monitor_processes(const struct monitor *m);

/* Returns the object to which spans of energy are added before a sample is fed
 * (power_join_add). */
struct power_join *monitor_power(struct monitor *m);

/* monitor_traces: can the metric be derived from the events of a process?
 * monitor_traced: its value in a row of the last table, whose counts are s;
 * NAN: none. *few: too few events to be reliable. */
bool monitor_traces(const struct monitor *m, unsigned metric);
double monitor_traced(const struct monitor *m, const struct span *s,
		      unsigned metric, bool *few);
/* The bottleneck of a process, from this frame alone. kind: kind of core that
 * it ran on. BOTTLENECK_UNKNOWN: not judged. */
enum bottleneck_word monitor_traced_word(const struct monitor *m,
					 const struct span *s, unsigned kind);

/* Forgets all readings and the history, before a recording continues at another
 * place. The sums of the run stay; they skip frames that they cover. */
void monitor_restart(struct monitor *m);

/* A frame that is longer than the interval by half an interval or more is late:
 * the timer was late, or reading took long. */
void monitor_period(struct monitor *m, int64_t period_ns);

/* Call before a frame that is late or follows `missed` skipped deadlines. */
void monitor_late(struct monitor *m, uint64_t missed, bool late);

/* Call after the first reading: continues frame numbers, times and health of
 * another monitor of the same machine with other CPUs. The time between is a
 * gap. */
void monitor_go_on(struct monitor *m, const struct monitor *from);

/* Marks a gap that no clock shows: the source was paused (key i, ^Z). */
void monitor_gap(struct monitor *m);

/*
 * One of extra_metrics has a new definition, used from the next reading on.
 * Allocates nothing.
 */
void monitor_redefined(struct monitor *m, unsigned metric);

/* NULL with no_past. */
const struct history *monitor_past(const struct monitor *m);

/* Up to n values of a metric, oldest first; the newest is that of the last
 * frame. NAN: no value, or a gap. Returns their number. */
static inline unsigned
monitor_history(const struct monitor *m, unsigned scope, unsigned metric,
		unsigned n, float *out)
{
	const struct history *h = monitor_past(m);

	return h != NULL ? history_read(h, scope, metric, n, out) : 0;
}

static inline unsigned
monitor_history_times(const struct monitor *m, unsigned n, float *out)
{
	const struct history *h = monitor_past(m);

	return h != NULL ? history_times(h, n, out) : 0;
}

/* The newest known value of a metric, and its age in seconds; NAN: none. */
double monitor_last(const struct monitor *m, unsigned scope, unsigned metric,
		    double *age_s);

unsigned monitor_metric_count(const struct monitor *m);
const struct metric *monitor_metric(const struct monitor *m, unsigned metric);

#endif
