/* Counts of every CPU and cluster since a start, summed frame by frame. */
#ifndef OUT_TOTALS_H
#define OUT_TOTALS_H

#include "model/frame.h"

#include <stdbool.h>
#include <stdint.h>

/* Pairs of event and domain that are told apart; more are left out. */
enum { TOTALS_EVENTS = 128 };

struct totals_row {
	uint64_t cycles, instructions;
	double measured_s; /* CPU seconds that these two cover */
	double busy_s;
	bool counted; /* the first three were ever known */
};

struct totals_event {
	char name[EVENT_NAME_SIZE];
	enum domain domain;
	uint64_t *count; /* [nrows] */
	double *time_s;  /* [nrows], CPU seconds that it was counted */
};

struct totals {
	unsigned nrows; /* CPUs, then clusters: the frame's first scopes */
	struct totals_row *row;
	unsigned nevents;
	struct totals_event *event; /* [TOTALS_EVENTS] */
	uint64_t *counts;           /* what `event` points into */
	double *times;
	uint64_t frames;
	double interval_s; /* awake, of all frames */
};

/* False when memory is short; totals_free is then still needed. */
bool totals_init(struct totals *t, const struct topology *topology);
void totals_free(struct totals *t);

/*
 * The machine has other CPUs: rows of `now` go on from their like in `was`,
 * which the rows are of. False when memory is short; *t is then as before.
 */
bool totals_move(struct totals *t, const struct topology *now,
		 const struct topology *was);

void totals_add(struct totals *t, const struct frame *f);

#endif
