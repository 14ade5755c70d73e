/* Counts summed over frames, by event set: what a ratio is made of. */
#ifndef APP_DIGEST_SUMS_H
#define APP_DIGEST_SUMS_H

#include "app/digest.h"
#include "model/monitor.h"

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
