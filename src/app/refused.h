/* Which events the system will not count, as far as is known beforehand. */
#ifndef APP_REFUSED_H
#define APP_REFUSED_H

#include "base/err.h"
#include "model/event.h"

#include <stdbool.h>
#include <stdint.h>

enum { REFUSED_WORDS = 32 }; /* 64 events of a catalog in each */

/* A bit for each event of one catalog, by its place there. */
struct refused {
	const struct catalog *catalog; /* that it is about; NULL: none */
	uint64_t bit[REFUSED_WORDS];
};

/*
 * From macOS 14.4 to 15 the kernel counts for tools what stands on a list of
 * its own (xnu a64/kpc.c, cpc_arm64_events.c); databases name more. os is the
 * source's: "macOS 15.4". Begins again when the catalog is another.
 */
void refused_begin(struct refused *r, const struct catalog *c, const char *os);

/* What a set in force was counted without. */
void refused_learn(struct refused *r, const struct eventset *set);
/* What could not be counted at all, if that is what *e says. */
void refused_learn_all(struct refused *r, const struct eventset *set,
		       const struct err *e);

/* Is every event of it known to be refused? */
bool refused_all(const struct refused *r, const struct eventset *set);

#endif
