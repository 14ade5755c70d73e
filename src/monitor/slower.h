/* Rows whose IPC has fallen far below what it was up to a minute ago. */
#ifndef MONITOR_SLOWER_H
#define MONITOR_SLOWER_H

#include "base/err.h"
#include "model/frame.h"

struct slower_row; /* the last minute of one row */

struct slower {
	unsigned nrows;
	int64_t span; /* number of the present one, from the start */
	struct slower_row *row;
};

/* For the first nrows rows of frames: CPUs and clusters. */
bool slower_init(struct slower *s, unsigned nrows, struct err *e);
void slower_done(struct slower *s);

/* Forgets the past. */
void slower_restart(struct slower *s);

/*
 * Of rows that are VERDICT_UNKNOWN: how fast they were, where that is long
 * gone for three frames, until it is not for three. Only where `mark` or more
 * of 10^9 cycles a second are spent for it; of a cluster where that is so of
 * two of its CPUs. Allocates nothing.
 */
void slower_take(struct slower *s, const struct frame *f, double mark,
		 struct verdict *verdict);

#endif
