/* Judges all rows in each interval, and chooses the headline. */
#ifndef MONITOR_BOTTLENECKS_H
#define MONITOR_BOTTLENECKS_H

#include "base/err.h"
#include "model/bottleneck.h"
#include "model/frame.h"
#include "model/shares.h"

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
	BOTTLENECK_TURNS = 16,
	BOTTLENECK_SECONDS = 5, /* seconds on which the headline is based */
};

struct bottleneck_seen;
struct bottleneck_past;
struct bottleneck_speed;
struct bottleneck_group;

struct bottleneck_turns {
	uint32_t interval;
	unsigned turns;
	unsigned window; /* number of newest intervals whose counts are used */
	uint32_t set[BOTTLENECK_TURNS]; /* hashes of event set names; index:
					   interval % BOTTLENECK_TURNS */
	double at_s[BOTTLENECK_TURNS];
};

struct bottlenecks {
	const struct topology *topology;
	unsigned nscopes;
	int metric[MEASURE_COUNT];
	int ipc, lost;
	int8_t see[SEE_COUNT]; /* preset for each purpose; -1: not possible on
				  this machine */
	int in_force; /* index of the current preset; -1: events of no preset */
	struct bottleneck_turns turns;
	uint64_t counted[METRIC_WORDS];
	unsigned nmeasures; /* number of entries of `measure`, the measures that
			       the current events give */
	uint8_t measure[MEASURE_COUNT];
	bool arm_slots;                /* as in struct share_counts */
	struct bottleneck *bottleneck; /* [nscopes] */
	struct bottleneck_seen *seen;  /* [nscopes] */
	struct bottleneck_past *past;  /* [CPUs and clusters] */
	struct bottleneck_speed *speed;
	struct bottleneck_group *group; /* [nscopes - ncpus] */
	double in_use; /* issue slots per second in the machine's cycles of this
			  interval */
	double second[BOTTLENECK_SECONDS]; /* millions of slots in use; index:
					      second % BOTTLENECK_SECONDS */
	int64_t now;     /* current second, from the start of the run */
	double judged_s; /* elapsed time of the last frame whose events could
			    judge a CPU */
	int8_t judged_by;
	double since_s;
	struct headline headline;
};

/* t is borrowed. catalog NULL: no events. False and *e: no memory;
 * bottlenecks_done must still be called. */
bool bottlenecks_init(struct bottlenecks *v, const struct topology *t,
		      const struct catalog *catalog, unsigned nscopes,
		      struct err *e);
void bottlenecks_done(struct bottlenecks *v);

void bottlenecks_restart(struct bottlenecks *v);

/* Call when the frame is otherwise complete. counted: bits of the metrics that
 * the frame's event set counts. value and state are the frame's arrays; the
 * function writes the metric lost_pct there. A bottleneck describes this
 * interval. While presets rotate, the function also uses the newest counts of
 * one rotation, unless the counts of this interval contradict them. Allocates
 * nothing. */
void bottlenecks_take(struct bottlenecks *v, const struct frame *f,
		      const uint64_t *counted, double *value, uint8_t *state);

/* Returns the properties of a kind of core, with all measures NAN. */
struct share_counts bottlenecks_counts(const struct bottlenecks *v,
				       unsigned kind, enum domain domain);

#endif
