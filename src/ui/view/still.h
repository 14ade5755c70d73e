/* Frames that stay: the one at the pause, and earlier ones out of the past. */
#ifndef UI_VIEW_STILL_H
#define UI_VIEW_STILL_H

#include "monitor/monitor.h"

/* A frame with arrays of its own. Zeroed at first. */
struct still {
	struct frame f;
	struct eventset set;
	struct span *span;
	double *value;
	uint8_t *state;
	struct verdict *verdict;
	unsigned nscopes, nmetrics; /* room in the arrays */
};

/* Copies f; false when memory is short. */
bool still_take(struct still *s, const struct frame *f);
void still_free(struct still *s);

/* The frame `back` before the newest; false: not kept so far, no memory. */
bool still_then(struct still *then, const struct frame *now,
		const struct monitor *m, unsigned back);

#endif
