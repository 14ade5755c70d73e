/* What the rows of frames add up to over a run. */
#ifndef MONITOR_ACCOUNT_H
#define MONITOR_ACCOUNT_H

#include "model/frame.h"
#include "model/quality.h"

#include <stdbool.h>
#include <stdint.h>

/* Pairs of event and domain that are told apart; more are left out. */
enum { ACCOUNT_EVENTS = 128 };

/*
 * Time that was known to be busy or not. What catches up says again how busy
 * the time before was, in which no counts came: that time is blank until then.
 * It can say less than was known, so that `busy` falls.
 */
struct account_busy {
	double seen, busy; /* of any unit */
	double most;       /* busy, for counters: it never falls */
	double blank_seen, blank_busy;
};

/* counts: they came, and are of `seen`, in a frame of that length. */
void account_busy_add(struct account_busy *b, double seen, double busy,
		      bool counts, double frame);

/* What the row was found to do, and what that cost. */
struct account_bottlenecks {
	double time_s[BOTTLENECK_COUNT]; /* awake, of the frames with the word
					  */
	uint64_t frames[BOTTLENECK_COUNT];
	double flagged_s; /* awake, of the frames in which it was flagged */
	double own;  /* slots lost to its cause: % of the machine's, seconds */
	double lost; /* 10^9 cycles; of a group: of its CPUs */
	bool lost_any; /* some frame tells what was lost, if only 0 */
};

struct account_row {
	struct span span; /* of the frames with the fixed pair */
	uint64_t frames;  /* of these */
	double event_s;   /* of the row's own time some event set covers */
	double blank_s;   /* since the last counts: what they may catch up */
	double poor_s[QUALITY_BITS]; /* by word of quality */
	struct account_busy busy;    /* CPU seconds; of a group: of its CPUs */
	struct account_bottlenecks bottlenecks;
};

struct account_event {
	char name[EVENT_NAME_SIZE];
	enum domain domain;
	uint64_t *count; /* [nrows] */
	double *time_s;  /* [nrows], CPU seconds that it was counted */
};

struct account {
	unsigned nrows; /* the frame's first scopes */
	struct account_row *row;
	unsigned nevents;
	struct account_event *event; /* [ACCOUNT_EVENTS]; NULL: not kept */
	uint64_t *counts;            /* what `event` points into */
	double *times;
	uint64_t frames;
	double interval_s; /* awake, of all frames */
};

/*
 * Of CPUs and clusters, with their events; or of all rows, without. False when
 * memory is short; account_free is then still needed.
 */
bool account_init(struct account *a, const struct topology *t);
bool account_init_rows(struct account *a, const struct topology *t);
void account_free(struct account *a);

/*
 * The machine has other CPUs: rows of `now` go on from their like in `was`,
 * which the rows are of. After account_init alone. False when memory is short;
 * *a is then as before.
 */
bool account_move(struct account *a, const struct topology *now,
		  const struct topology *was);

void account_add(struct account *a, const struct frame *f);

/* % of the time of all frames with that word; NAN where there are none. */
double account_bottleneck_pct(const struct account_row *r, unsigned word);

/* % of the cycles in `all`; NAN where no frame tells. */
double account_lost_pct(const struct account_row *r,
			const struct account_row *all);

#endif
