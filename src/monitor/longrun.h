/* The whole run in a fixed number of buckets: what history.h has let go. */
#ifndef MONITOR_LONGRUN_H
#define MONITOR_LONGRUN_H

#include "model/bound.h"
#include "model/frame.h"
#include "model/span.h"

/*
 * A bucket holds sums, never ratios: the counts, times and CPUs of all frames
 * in its time, by row and by event set, exactly as a frame has them. A metric
 * of a bucket is therefore derived as that of one long frame, sum over sum, by
 * the same code, also a metric that was defined later. Buckets are equally long
 * and begin with the run; when they are full, or the memory for their parts is,
 * neighbours become one and all are twice as long: always the whole run, in
 * memory that never grows and is touched as it fills: 5 MB for 8 CPUs.
 *
 * Rows are the machine, kinds and clusters, and cores where there are at most
 * LONGRUN_CPUS. Frames that are a gap are left out, as history.h does. Of a CPU
 * that lacked a slot in a frame only the fixed pair is kept, with all those of
 * no set.
 */
enum {
	LONGRUN_BUCKETS = 1024,
	LONGRUN_CPUS = 64,
	LONGRUN_BYTES = 8 << 20, /* of sums, but at least this: */
	LONGRUN_PARTS_MIN = 128,
	LONGRUN_PARTS_MAX = LONGRUN_BUCKETS * 3 / 2, /* some have two sets */
	LONGRUN_SETS = 64 /* told apart; of others the fixed pair is kept */
};

/* ---- what it is made of ---- */

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
	struct eventset events;
	enum domain domain;
};

struct longrun {
	const struct topology *topology;
	const struct catalog *catalog;
	unsigned nscopes, nrows;
	unsigned row0; /* scope of the first row */
	bool started;
	double base_s, length_s;       /* elapsed; of a bucket */
	unsigned n;                    /* buckets so far */
	struct longrun_bucket *bucket; /* [LONGRUN_BUCKETS] */
	unsigned nparts, used;         /* there are; touched so far */
	unsigned free, nfree;          /* list of freed ones, + 1 */
	struct longrun_part *part;     /* [nparts] */
	struct span *row;              /* [nparts * nrows] */
	unsigned nsets;
	struct longrun_set *set; /* [LONGRUN_SETS] */
	struct span *split;      /* [nscopes]: half of a frame */
	double *silent_ns;       /* [nscopes] since the row's last counts */
	struct bound *bound;     /* [LONGRUN_SETS]: while reading */
	struct span *kinds;      /* [nkinds]: while reading */
};

/* ---- what is asked of it ---- */

/* Both are borrowed for its life; catalog may be NULL. NULL and *e. */
struct longrun *longrun_new(const struct topology *t,
			    const struct catalog *catalog, struct err *e);
void longrun_free(struct longrun *l);

/*
 * Takes a frame. One whose time has been taken before (a recording that was
 * gone back in) is not taken again. Allocates nothing; merging goes over all
 * sums, but ever more rarely.
 */
void longrun_take(struct longrun *l, const struct frame *f);

/* Elapsed seconds when the run began, and of a bucket; false: none yet. */
bool longrun_begin(const struct longrun *l, double *begin_s, double *bucket_s);

/* Some buckets for so many dots. */
struct longrun_plan {
	unsigned first;  /* bucket of the first dot */
	unsigned per;    /* buckets that a dot sums up */
	unsigned n;      /* dots with buckets */
	unsigned room;   /* dots of the span: the n are its last */
	unsigned repeat; /* times each is drawn: there are few buckets */
	double dot_s;    /* what a dot drawn stands for */
	double until_s;  /* nothing later is looked at */
};

/*
 * The span_s before until_s, both elapsed seconds; a span of 0 is all. Dots
 * are cut at the same times whenever it is drawn. False where there is nothing.
 */
bool longrun_plan(const struct longrun *l, double until_s, double span_s,
		  unsigned dots, struct longrun_plan *out);

/* The metric of the n dots of the plan, oldest first; NAN where none. */
void longrun_read(const struct longrun *l, const struct longrun_plan *plan,
		  const struct metric *m, unsigned scope, float *out);

/* Has a bucket up to then counted what the metric needs? */
bool longrun_has(const struct longrun *l, double until_s,
		 const struct metric *m);

/*
 * The sums of a row over all buckets and sets: counts only of the fixed pair
 * and, of the set with that event, of the event. For checks.
 */
bool longrun_total(const struct longrun *l, unsigned scope,
		   const struct event *event, struct span *out,
		   uint64_t *events);

#endif
