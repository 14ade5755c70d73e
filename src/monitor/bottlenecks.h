/* Judges all rows in each interval, and chooses the headline. */
#ifndef MONITOR_BOTTLENECKS_H
#define MONITOR_BOTTLENECKS_H

#include "base/err.h"
#include "model/bottleneck.h"
#include "model/frame.h"
#include "model/shares.h"

/* Purposes of presets: separating causes, or showing details of one. */
enum {
	SEE_TOPDOWN,
	SEE_BASIC,
	SEE_BRANCH,
	SEE_BRANCHKIND,
	SEE_FRONTEND,
	SEE_L1D,
	SEE_LDSRC,
	SEE_OS,
	SEE_COUNT
};

enum {
	BOTTLENECK_TURNS = 16,  /* largest number of intervals in a rotation */
	BOTTLENECK_SECONDS = 5, /* seconds on which the headline is based */
};

struct bottleneck_seen;  /* newest measures of one row */
struct bottleneck_past;  /* sums over the last seconds of a CPU or a cluster */
struct bottleneck_speed; /* IPC of the last seconds of a cluster */
struct bottleneck_group; /* sums over the CPUs of a group */

/* The current event set, and the recent sets while presets rotate. */
struct bottleneck_turns {
	uint32_t interval; /* number of the current interval */
	unsigned turns;    /* consecutive intervals that changed the events */
	unsigned window;   /* intervals whose counts are used */
	uint32_t set[BOTTLENECK_TURNS]; /* hashes of the last intervals' set
					   names */
	double at_s[BOTTLENECK_TURNS];
};

struct bottlenecks {
	const struct topology *topology;
	unsigned nscopes;
	int metric[MEASURE_COUNT]; /* indices in the frame */
	int ipc, lost;
	int8_t see[SEE_COUNT]; /* preset for each purpose; -1: not possible on
				  this machine */
	int in_force; /* index of the current preset; -1: other events */
	struct bottleneck_turns turns;
	uint64_t counted[METRIC_WORDS]; /* bits of the metrics of the current
					   events */
	unsigned nmeasures; /* measures that the current events give: */
	uint8_t measure[MEASURE_COUNT];
	bool arm_slots;                /* as in struct share_counts */
	struct bottleneck *bottleneck; /* [nscopes] */
	struct bottleneck_seen *seen;  /* [nscopes] */
	struct bottleneck_past *past;  /* [CPUs and clusters] */
	struct bottleneck_speed *speed;
	struct bottleneck_group *group; /* [nscopes - ncpus] */
	double in_use; /* issue slots of the machine in use, per second */
	double second[BOTTLENECK_SECONDS]; /* in_use in each of the last seconds
					    */
	int64_t now;                       /* number of the current second */
	double judged_s; /* elapsed time when the headline was judged */
	int8_t judged_by;
	double since_s; /* elapsed time when the headline's cause began */
	struct headline headline;
};

/* t is borrowed; catalog NULL: no events. False and *e: no memory. */
bool bottlenecks_init(struct bottlenecks *v, const struct topology *t,
		      const struct catalog *catalog, unsigned nscopes,
		      struct err *e);
void bottlenecks_done(struct bottlenecks *v);

/* Forgets all counts and words. */
void bottlenecks_restart(struct bottlenecks *v);

/* Judges all rows of a frame that is otherwise complete. counted: bits of the
 * metrics that the frame's event set counts. value and state are the frame's
 * arrays; the metric lost_pct is written there. A bottleneck describes this
 * interval; while presets rotate, the newest counts of one rotation are used
 * too, unless the counts of this interval contradict them. Allocates nothing.
 */
void bottlenecks_take(struct bottlenecks *v, const struct frame *f,
		      const uint64_t *counted, double *value, uint8_t *state);

/* What struct shares needs to know of the kind of core. */
struct share_counts bottlenecks_counts(const struct bottlenecks *v,
				       unsigned kind, enum domain domain);

#endif
