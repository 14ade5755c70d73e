/* What longrun.c and longrun_read.c share: the buckets. */
#ifndef MONITOR_LONGRUN_STATE_H
#define MONITOR_LONGRUN_STATE_H

#include "monitor/longrun.h"

#include <stddef.h>

/* A row's frames under one set. */
struct longrun_row {
	struct sums s;                 /* busy_ns of those that know it */
	double wall_ns;                /* of the frames that the counts span */
	double busy_cpu_ns;            /* of cpu_ns, with a known busy time */
	double core_work, core_cycles; /* of whole cores, see bound_core */
};

struct longrun_part {
	unsigned set;
	unsigned next; /* part of the bucket, + 1 */
};

struct longrun_bucket {
	uint64_t frames;
	double from_s, to_s; /* from the first's begin to the last's end */
	unsigned part;       /* the first, + 1; 0: none */
};

/* Number 0 is no set: the fixed pair alone. */
struct longrun_set {
	unsigned len;
	const struct event *event[EVENTSET_MAX];
	enum domain domain;
};

struct longrun {
	const struct topology *topology;
	const struct catalog *catalog;
	unsigned nscopes, nrows;
	unsigned row0; /* scope of the first row */
	bool started, touched;
	double base_s, length_s;       /* elapsed; of a bucket */
	unsigned n;                    /* buckets so far */
	struct longrun_bucket *bucket; /* [LONGRUN_BUCKETS] */
	unsigned nparts, used;         /* there are; touched so far */
	unsigned free, nfree;          /* list of freed ones, + 1 */
	struct longrun_part *part;     /* [nparts] */
	struct longrun_row *row;       /* [nparts * nrows] */
	unsigned nsets;
	struct longrun_set *set; /* [LONGRUN_SETS] */
	struct sums *split;      /* [nscopes]: half of a frame */
	double *silent_ns;       /* [nscopes] since the row's last counts */
	struct bound *bound;     /* [LONGRUN_SETS]: while reading */
	struct sums *kinds;      /* [nkinds]: while reading */
};

static inline struct longrun_row *
longrun_row(const struct longrun *l, unsigned part, unsigned scope)
{
	return &l->row[(size_t)part * l->nrows + (scope - l->row0)];
}

#endif
