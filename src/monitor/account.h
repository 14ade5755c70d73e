/* Sums of the rows of frames over a run. */
#ifndef MONITOR_ACCOUNT_H
#define MONITOR_ACCOUNT_H

#include "model/frame.h"
#include "model/quality.h"

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of pairs of event and domain; an account ignores further
 * pairs. */
enum { ACCOUNT_EVENTS = 128 };

/* Frames without counts add to `seen` and `busy`, too. Counts that later cover
 * the same time replace that part, and `busy` may decrease. */
struct account_busy {
	double seen, busy;
	double most; /* the largest `busy`, for counters that must not decrease
		      */
	double blank_seen, blank_busy;
};

void account_busy_add(struct account_busy *b, double seen, double busy,
		      bool counts, double frame);

struct account_bottlenecks {
	double time_s[BOTTLENECK_COUNT];
	uint64_t frames[BOTTLENECK_COUNT];
	double flagged_s;
	double own; /* slots lost to the row's cause: % of the machine's slots x
		       seconds */
	double lost; /* lost slots in 10^9 cycles; of a group: sum over its CPUs
		      */
	bool lost_any;
};

struct account_row {
	struct span span; /* only of frames with fixed counters */
	uint64_t frames;  /* number of frames in `span` */
	double event_s;   /* time in which an event set was counted */
	double blank_s;
	double poor_s[QUALITY_BITS];
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
	unsigned nrows; /* The rows are the first scopes of a frame. */
	struct account_row *row;
	unsigned nevents;
	struct account_event *event; /* [ACCOUNT_EVENTS]; NULL: not kept */
	uint64_t *counts;
	double *times;
	uint64_t frames;
	double interval_s;
};

/* account_init keeps rows of CPUs and clusters, with events; account_init_rows
 * keeps all rows, without events. False: no memory; account_free must still be
 * called. */
bool account_init(struct account *a, const struct topology *t);
bool account_init_rows(struct account *a, const struct topology *t);
void account_free(struct account *a);

/* Call only after account_init, when the machine's CPUs have changed: `now`
 * gets the data of the matching rows of `was`. False: no memory; *a is
 * unchanged. */
bool account_move(struct account *a, const struct topology *now,
		  const struct topology *was);

void account_add(struct account *a, const struct frame *f);

/* NAN: no time. */
double account_bottleneck_pct(const struct account_row *r, unsigned word);

/* The lost cycles of r in % of the cycles of `all`; NAN: unknown. */
double account_lost_pct(const struct account_row *r,
			const struct account_row *all);

#endif
