/* Counts summed over frames, by event set: what a ratio is made of. */
#ifndef ANALYSIS_DIGEST_SUMS_H
#define ANALYSIS_DIGEST_SUMS_H

#include "analysis/digest.h"
#include "monitor/monitor.h"

struct digest_sums;

struct digest_sums *digest_sums_new(unsigned ncpus, struct err *e);
void digest_sums_free(struct digest_sums *x);

/* Adds a reading of a recording to those of its set. */
bool digest_sums_add(struct digest_sums *x, const struct sample *s,
		     struct err *e);

/*
 * Fills the cells' values: the sums of each set as one long frame through m,
 * and where several sets counted a metric, their mean, weighted by what the
 * metric divides by.
 */
bool digest_sums_value(struct digest_sums *x, struct digest *d,
		       struct monitor *m, struct err *e);

#endif
