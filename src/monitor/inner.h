/* Private parts of the history: single frames, and sums over the run. */
#ifndef MONITOR_INNER_H
#define MONITOR_INNER_H

#include "model/bound.h"
#include "model/power.h"
#include "monitor/history.h"

enum {
	HISTORY_SETS = 128, /* Events of further sets are not kept. */
	HISTORY_COLUMNS = 16,
	HISTORY_ARRAYS = 16
};

struct known_set {
	struct eventset events;
	enum domain domain;
};

struct entry {
	uint64_t seq;
	struct stamp stamp;
	double elapsed_s, interval_s;
	uint32_t quality;
	unsigned set;
	bool judged;
	struct headline headline;
};

struct said {
	double lost_pct;
	float impact;
	uint8_t word, estimate; /* enum bottleneck_word */
	uint8_t judged;         /* state of lost_pct */
	bool cannot, flagged, lost_about;
};

struct range {
	uint64_t from, to; /* frames */
};

struct column {
	const struct metric *metric; /* NULL: free */
	uint64_t used;
	struct range *range; /* [nscopes]: numbers of the cached frames, without
				`to` */
	float *value;        /* [nscopes][frames] */
	struct bound *bound;
	enum { UNTRIED, BOUND, UNBOUND } tried[HISTORY_SETS];
};

struct cache {
	struct column column[HISTORY_COLUMNS];
	uint64_t reads;
	struct bounds all;
	unsigned all_set; /* HISTORY_SETS: none */
};

struct part {
	unsigned set;  /* 0: without events */
	unsigned next; /* index + 1 of the bucket's next part; 0: none */
};

struct bucket {
	uint64_t frames;
	double from_s, to_s;
	unsigned part; /* index + 1 of the first part; 0: none */
};

struct sums {
	unsigned ncpus, row0, nrows; /* row0: scope of the first row */
	double base_s, length_s; /* elapsed seconds at the start; seconds of a
				    bucket, 0: no run yet */
	unsigned n;
	struct bucket *bucket;
	unsigned nparts, used; /* allocated; initialized so far */
	unsigned free, nfree;  /* free: index + 1 of the first free part */
	struct part *part;     /* [nparts] */
	struct span *row;      /* [nparts][nrows]: the sums */
	double *silent_ns;     /* [nscopes]: time since the row's last counts */
	struct span
		*dot; /* [nscopes]: sums for the dot that is being derived */
};

struct history {
	struct history_of of;
	unsigned nscopes, frames;
	uint64_t pushed;
	struct entry *entry; /* [frames] */
	struct span *span;   /* [frames][nscopes] */
	struct said *said;
	struct frame_power *power;   /* [frames]; nrows 0: no power values */
	struct power_row *power_row; /* [frames][nclusters + 1] */
	unsigned nsets;
	struct known_set *set; /* [HISTORY_SETS]; entry 0: no events */
	uint64_t
		since[METRIC_MAX]; /* number (as in `pushed`) of the first frame
				      with the metric's current definition */
	int judged;                /* index of the metric lost_pct; -1: none */
	struct sums run;
	struct cache *cache;
	void *array[HISTORY_ARRAYS];
	unsigned narrays;
	bool failed;
};

unsigned sums_fitting(size_t bytes, size_t each, unsigned least, unsigned most);

/* False: no memory; call sums_free then, too. */
bool sums_make(struct sums *r, unsigned ncpus, unsigned nscopes);
void sums_free(struct sums *r);

void sums_add(struct sums *r, const struct frame *f, unsigned set);

static inline struct entry *
history_entry(const struct history *h, uint64_t frame)
{
	return &h->entry[frame % h->frames];
}

void history_push_power(struct history *h, const struct frame_power *p);

/* Fills rows->power with the power of the frames `from` to `last`. False: frame
 * `last` has none. */
bool history_power_then(const struct history *h, uint64_t from, uint64_t last,
			const struct history_rows *rows);

struct span *sums_row(const struct sums *r, unsigned part, unsigned scope);

struct column *history_column(const struct history *h,
			      const struct metric *metric);
/* NULL: the set does not count the metric. */
const struct bound *history_bound(const struct history *h, struct column *c,
				  unsigned set);
struct members history_members(const struct history *h, const struct span *rows,
			       unsigned scope);

#endif
