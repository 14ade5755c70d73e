/* A recording boiled down: for summary and compare. */
#ifndef ANALYSIS_DIGEST_H
#define ANALYSIS_DIGEST_H

#include "analysis/digest_processes.h"
#include "options/options.h"
#include "model/frame.h"
#include "model/quality.h"
#include "monitor/account.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Frame values are kept to a number that bounds memory; when it is reached,
 * every second is given up, so that they stay evenly spread.
 */
enum {
	DIGEST_KEPT_MAX = 8192,
	DIGEST_KEPT_MIN = 256,
	DIGEST_SETS_MAX = 64 /* different event sets in one recording */
};

enum digest_keep {
	DIGEST_VALUES, /* the frames' values, for percentiles */
	DIGEST_SERIES, /* what they are made of: digest_series.h */
	DIGEST_NO_FRAMES
};

/* A metric of a row: over the whole time, and frame by frame. */
struct digest_cell {
	double value;       /* of the counts summed over all frames; NAN */
	uint64_t frames;    /* that have it */
	float *kept;        /* [digest.kept], NAN where a frame has none */
	uint32_t domains;   /* 1 << enum domain of the frames that have it */
	double sum, weight; /* of `value` over several event sets */
};

struct digest {
	struct source *source; /* the recording, at its end */
	const struct topology *topology;
	const struct metric *metric[METRIC_MAX];
	struct user user; /* the options', and the recording's own events */
	unsigned nrows, nmetrics;
	struct account account;   /* rows are the scopes of a frame */
	struct digest_cell *cell; /* [nrows * nmetrics] */
	uint64_t frames;          /* in the part asked for */
	double length_s;          /* of that part, through sleep */
	int64_t begin_ns, end_ns; /* wall clock */
	uint64_t stride;          /* of the kept frames */
	unsigned kept, kept_max;
	uint64_t notes[3]; /* by enum recording_note_kind */
	char name[128];    /* of the file, fit for a terminal */
	struct digest_sums *sums;
	struct digest_processes *processes; /* NULL: the recording has none */
	struct digest_series *series;       /* NULL but for DIGEST_SERIES */
	enum digest_keep keep;
	bool piped; /* cannot be read twice */
	bool grew;  /* CPUs came that the first frames lack: read it again */
};

/*
 * Reads the segments, the part that --from, --to and --mark say. Gives up
 * root's rights first. NULL and *e on failure.
 */
struct digest *digest_new(const char *const *path, unsigned n,
			  const struct options *o, enum digest_keep keep,
			  struct err *e);
void digest_free(struct digest *d);

static inline struct digest_cell *
digest_at(const struct digest *d, unsigned row, unsigned metric)
{
	return &d->cell[(size_t)row * d->nmetrics + metric];
}

/* What the row is: "all", a cluster's label, "cpu 3". */
const char *digest_row_name(const struct digest *d, unsigned row, char *buf,
			    unsigned size);
const char *digest_row_level(const struct digest *d, unsigned row);

/* The kind of a core's or cluster's or kind's row; "" for the machine. */
const char *digest_row_kind(const struct digest *d, unsigned row);

/* As the columns of a recording have it; -1 and "" where they are empty. */
struct digest_place {
	const char *cluster;
	int level, core, cpu;
};
struct digest_place digest_row_place(const struct digest *d, unsigned row);

/* Rows in the order people read: the machine, kinds, clusters, cores. */
unsigned digest_order(const struct digest *d, unsigned i);

/*
 * The kept frame values that are there, in order of time, into out
 * [digest.kept]; how many.
 */
unsigned digest_values(const struct digest *d, unsigned row, unsigned metric,
		       double *out);

/* Is the metric made of the fixed pair and times alone? */
bool digest_is_fixed(const struct metric *m);

/* Linear between the two nearest by size; NAN for none. Moves values of v. */
double digest_quantile(double *v, unsigned n, double q);

#endif
