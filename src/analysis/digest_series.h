/* Frame by frame what the ratios of a recording are made of: for compare. */
#ifndef ANALYSIS_DIGEST_SERIES_H
#define ANALYSIS_DIGEST_SERIES_H

#include "analysis/digest.h"

struct digest_series;

/*
 * Two numbers a frame, row and metric, in at most `bytes`: when they are used
 * up, neighbouring frames are added to each other, so that no count is lost.
 */
struct digest_series *digest_series_new(unsigned nrows, unsigned nmetrics,
					size_t bytes, struct err *e);
void digest_series_free(struct digest_series *x);

/* Adds a frame of d's recording; false and *e out of memory. */
bool digest_series_add(struct digest_series *x, const struct digest *d,
		       const struct frame *f, struct err *e);

/* Frames that are one entry, and the entries there may be. */
unsigned digest_series_stride(const struct digest_series *x);
unsigned digest_series_room(const struct digest_series *x);

/*
 * In order of time what the metric was divided by, and that times its value,
 * of the entries that have it; how many. Both [digest_series_room].
 */
unsigned digest_series_get(const struct digest_series *x, unsigned row,
			   unsigned metric, double *num, double *den);

#endif
