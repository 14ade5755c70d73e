/* Inside the digest: what kept.c does for digest.c. */
#ifndef ANALYSIS_KEPT_H
#define ANALYSIS_KEPT_H

#include "analysis/analysis.h"

bool kept_init(struct digest *d); /* with its sizes known */
void kept_free(struct digest *d);

/* A frame, then each of its values. False: nothing of it is kept; no memory. */
bool kept_begin(struct digest *d, const struct frame *f);
bool kept_add(struct digest *d, const struct frame *f, unsigned row,
	      unsigned metric);

#endif
