/*
 * The sums of a whole run's parts: those that were touched last lie open, all
 * others are packed.
 */
#ifndef MONITOR_LONGRUN_ROWS_H
#define MONITOR_LONGRUN_ROWS_H

#include "model/sums.h"
#include "monitor/blobs.h"

enum {
	LONGRUN_OPEN = 256, /* parts, at most, */
	LONGRUN_OPEN_MIN = 8,
	LONGRUN_OPEN_BYTES = 2 << 20 /* as many as fit in so much */
};

struct longrun_rows {
	unsigned nrows, nparts, nopen;
	struct sums_run *row;        /* [nopen * nrows] */
	unsigned part[LONGRUN_OPEN]; /* that lies open there, + 1; 0: none */
	uint64_t turn[LONGRUN_OPEN]; /* when it was touched */
	uint64_t turns;
	unsigned next;  /* slot that is taken next */
	uint16_t *slot; /* [nparts] where it lies open, + 1; 0: it does not */
	uint32_t *blob; /* [nparts] what is packed of others */
	struct blobs blobs;
	uint8_t *bytes; /* a part's, packed */
};

/* False: no memory. Touched as it fills. */
bool longrun_rows_init(struct longrun_rows *l, unsigned nparts, unsigned nrows);
void longrun_rows_done(struct longrun_rows *l);

/* The part's sums are forgotten: all of nothing, or it is of no use any more.
 */
void longrun_rows_clear(struct longrun_rows *l, unsigned part);
void longrun_rows_drop(struct longrun_rows *l, unsigned part);

/*
 * To write to; part was cleared once. Two lie open at a time: the rows stay
 * where they are until another part but one was opened. Allocates nothing.
 */
struct sums_run *longrun_rows_open(struct longrun_rows *l, unsigned part);

/* One row to read: where it lies open, or *out. */
const struct sums_run *longrun_rows_read(const struct longrun_rows *l,
					 unsigned part, unsigned row,
					 struct sums_run *out);

#endif
