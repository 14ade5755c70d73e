/* Sums of the rows of frames over a run. */
#ifndef MONITOR_ACCOUNT_H
#define MONITOR_ACCOUNT_H

#include "model/frame.h"
#include "model/quality.h"

#include <stdbool.h>
#include <stdint.h>

/* Pairs of event and domain; further ones are left out. */
enum { ACCOUNT_EVENTS = 128 };

/* Time seen, and busy time in it. Time of frames without counts is added too,
 * until a later row covers it by counts and replaces it; `busy` may decrease
 * then. */
struct account_busy {
	double seen, busy; /* of any unit */
	double most; /* the largest `busy`, for counters that must not decrease
		      */
	double blank_seen, blank_busy;
};

/* Adds a frame of length `frame`. counts: the row has counts; they cover the
 * time `seen`. */
void account_busy_add(struct account_busy *b, double seen, double busy,
		      bool counts, double frame);

/* Bottlenecks and lost slots of a row over the run. */
struct account_bottlenecks {
	double time_s[BOTTLENECK_COUNT]; /* awake time with this bottleneck */
	uint64_t frames[BOTTLENECK_COUNT];
	double flagged_s; /* awake time in which the row was flagged */
	double own; /* slots lost to the row's cause: % of the machine's slots x
		       seconds */
	double lost; /* lost slots in 10^9 cycles; of a group: sum over its CPUs
		      */
	bool lost_any; /* `lost` is known in at least one frame */
};

struct account_row {
	struct span span; /* sum of the frames with fixed counters */
	uint64_t frames;  /* their number */
	double event_s;   /* seconds of the row's time in which an event set was
			     counted */
	double blank_s; /* seconds since the last counts; the row's next counts
			   may cover them */
	double poor_s[QUALITY_BITS]; /* seconds with each quality flag */
	struct account_busy
		busy; /* in CPU seconds; of a group: sum over its CPUs */
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
	double interval_s; /* awake seconds of all frames */
};

/* account_init keeps rows of CPUs and clusters, with events; account_init_rows
 * keeps all rows, without events. False: no memory; call account_free. */
bool account_init(struct account *a, const struct topology *t);
bool account_init_rows(struct account *a, const struct topology *t);
void account_free(struct account *a);

/* After account_init, when the machine's CPUs have changed: rows of `was` are
 * kept as the matching rows of `now`. False: no memory; *a is unchanged. */
bool account_move(struct account *a, const struct topology *now,
		  const struct topology *was);

void account_add(struct account *a, const struct frame *f);

/* % of the time with this bottleneck; NAN: no time. */
double account_bottleneck_pct(const struct account_row *r, unsigned word);

/* The lost cycles of r in % of the cycles of `all`; NAN: unknown. */
double account_lost_pct(const struct account_row *r,
			const struct account_row *all);

#endif
