/* What monitor.c and monitor_new.c share: the monitor's state. */
#ifndef MONITOR_MONITOR_STATE_H
#define MONITOR_MONITOR_STATE_H

#include "model/bound.h"
#include "model/dead.h"
#include "model/delta.h"
#include "monitor/longrun.h"
#include "monitor/monitor.h"
#include "model/recorded.h"
#include "model/sums.h"

struct last {
	double value, elapsed_s;
};

struct monitor {
	struct monitor_options options;
	const struct topology *topology;
	const struct metric *metric[METRIC_MAX];
	unsigned nmetrics, nbound;
	unsigned ipc; /* index of that metric */
	struct bound bound[METRIC_MAX];
	enum value_state unbound[METRIC_MAX]; /* why a metric is not bound */

	struct tracks tracks;
	struct dead dead;
	struct delta *delta;     /* [ncpus] */
	struct sums *sums;       /* [nscopes] */
	struct bound_core *core; /* [ncores]; NULL without SMT */
	struct scope *scope;
	struct tally *tally;
	double *value;
	double *reached; /* [nkinds] */
	uint8_t *state;
	struct last *last; /* [nscopes * nmetrics] */
	struct history history;
	struct longrun *run; /* NULL: no past is kept */
	uint64_t bound_mask[HISTORY_MASK];

	struct eventset set;       /* the source's may change under a frame */
	struct eventset frame_set; /* of the last frame */
	enum domain domain;
	struct stamp first, before; /* first reading; last frame's */
	bool started, fed, rebound, swapped, stolen_before, gap, late;
	bool other_period; /* since the frame before */
	bool redefined;    /* a metric means something else */
	struct frame frame;
};

#endif
