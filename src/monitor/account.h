/* Sums of the rows of frames over a run. */
#ifndef MONITOR_ACCOUNT_H
#define MONITOR_ACCOUNT_H

#include "model/frame.h"
#include "model/quality.h"

#include <stdbool.h>
#include <stdint.h>

/* Pairs of event and domain; further ones are left out. */
enum { ACCOUNT_EVENTS = 128 };

/* Time known to be busy or idle. Time without counts is added, and replaced
 * when a row that catches up covers it; `busy` may decrease then. */
struct account_busy {
	double seen, busy; /* of any unit */
	double most; /* the largest `busy`, for counters that must not decrease
		      */
	double blank_seen, blank_busy;
};

/* counts: the row has counts. They cover `seen`; the frame took `frame`. */
void account_busy_add(struct account_busy *b, double seen, double busy,
		      bool counts, double frame);

/* Words of a row over the run, and lost slots. */
struct account_bottlenecks {
	double time_s[BOTTLENECK_COUNT]; /* awake time with this bottleneck */
	uint64_t frames[BOTTLENECK_COUNT];
	double flagged_s; /* awake, of the frames in which it was flagged */
	double own;       /* slots lost to its cause: % of the machine's, times
			     seconds */
	double lost;      /* 10^9 cycles; of a group: of its CPUs */
	bool lost_any;    /* known for some frame, even if 0 */
};

struct account_row {
	struct span span; /* sum of the frames with fixed counters */
	uint64_t frames;  /* their number */
	double event_s; /* part of the row's time, covered by some event set */
	double blank_s; /* time since the last counts; a row that catches up may
			   cover it */
	double poor_s[QUALITY_BITS]; /* time with each quality flag */
	struct account_busy busy;    /* CPU seconds; of a group: of its CPUs */
	struct account_bottlenecks bottlenecks;
};

struct account_event {
	char name[EVENT_NAME_SIZE];
	enum domain domain;
	uint64_t *count; /* [nrows] */
	double *time_s;  /* [nrows]: CPU seconds in which it was counted */
};

struct account {
	unsigned nrows; /* rows: the first scopes of the frame */
	struct account_row *row;
	unsigned nevents;
	struct account_event *event; /* [ACCOUNT_EVENTS]; NULL: not kept */
	uint64_t *counts;            /* storage of the counts in `event` */
	double *times;
	uint64_t frames;
	double interval_s; /* awake, of all frames */
};

/* Keeps CPUs and clusters with their events; account_init_rows: all rows
 * without events. False: no memory; call account_free. */
bool account_init(struct account *a, const struct topology *t);
bool account_init_rows(struct account *a, const struct topology *t);
void account_free(struct account *a);

/* For a machine whose CPUs changed, after account_init. Rows of `now` continue
 * the same rows of `was`. False: no memory, *a is unchanged. */
bool account_move(struct account *a, const struct topology *now,
		  const struct topology *was);

void account_add(struct account *a, const struct frame *f);

/* % of the time with this bottleneck; NAN: no time. */
double account_bottleneck_pct(const struct account_row *r, unsigned word);

/* The lost cycles of r in % of the cycles of `all`; NAN: unknown. */
double account_lost_pct(const struct account_row *r,
			const struct account_row *all);

#endif
