/* Bottlenecks of all rows, interval by interval, and the first line. */
#ifndef MONITOR_BOTTLENECKS_H
#define MONITOR_BOTTLENECKS_H

#include "base/err.h"
#include "model/bottleneck.h"
#include "model/frame.h"
#include "model/shares.h"

/* Presets that tell more. */
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
	BOTTLENECK_TURNS = 16,  /* intervals that a rotation may take */
	BOTTLENECK_SECONDS = 5, /* that the first line is judged by */
};

struct bottleneck_seen;  /* newest values of one row */
struct bottleneck_past;  /* the last seconds of a CPU or a cluster */
struct bottleneck_speed; /* of a cluster: how fast it was */
struct bottleneck_group; /* sums of its CPUs */

/* Which events are in force, and were while presets rotate. */
struct bottleneck_turns {
	uint32_t interval; /* number of this one */
	unsigned turns;    /* intervals in a row that changed the events */
	unsigned window;   /* intervals whose counts are used */
	uint32_t set[BOTTLENECK_TURNS]; /* of the last intervals: its name */
	double at_s[BOTTLENECK_TURNS];
};

struct bottlenecks {
	const struct topology *topology;
	unsigned nscopes;
	int metric[MEASURE_COUNT]; /* indices in the frame */
	int ipc, lost;
	int8_t see[SEE_COUNT]; /* presets that tell more; -1: impossible */
	int in_force;          /* preset; -1: other events */
	struct bottleneck_turns turns;
	uint64_t counted[METRIC_WORDS]; /* metrics of the events in force */
	unsigned nmeasures;             /* of them measures, in order: */
	uint8_t measure[MEASURE_COUNT];
	bool arm_slots;                /* struct share_counts */
	struct bottleneck *bottleneck; /* [nscopes] */
	struct bottleneck_seen *seen;  /* [nscopes] */
	struct bottleneck_past *past;  /* [CPUs and clusters] */
	struct bottleneck_speed *speed;
	struct bottleneck_group *group;    /* [nscopes - ncpus] */
	double in_use;                     /* slots of the machine a second */
	double second[BOTTLENECK_SECONDS]; /* the same of the last seconds */
	int64_t now;                       /* the second that it is */
	double judged_s;                   /* when the headline was judged */
	int8_t judged_by;
	double since_s; /* when its word began */
	struct headline headline;
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
 * of the metrics that the frame's set counts. Writes the metric `lost_pct` into
 * value and state, which are the frame's own arrays. Words are of this
 * interval; while presets rotate the newest counts of one rotation are used, as
 * far as this interval's do not contradict. Allocates nothing.
 */
void bottlenecks_take(struct bottlenecks *v, const struct frame *f,
		      const uint64_t *counted, double *value, uint8_t *state);

/* What is the same for all rows of a kind. */
struct share_counts bottlenecks_counts(const struct bottlenecks *v,
				       unsigned kind, enum domain domain);

#endif
