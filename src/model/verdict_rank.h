/* Where cycles are lost, worst first: never a core and its cluster for one
 * cause. */
#ifndef MODEL_VERDICT_RANK_H
#define MODEL_VERDICT_RANK_H

#include "model/frame.h"

enum { VERDICT_LOSSES = 5 }; /* as many as a person looks at */

struct verdict_loss {
	unsigned scope; /* a cluster, or a CPU */
	double lost;    /* 10^9 cycles a second */
};

/*
 * Clusters where two or more CPUs share the verdict, then the CPUs that none
 * of those speaks for, by cycles lost, if a tenth or so; at most max. How many.
 * With `loud` only those that stand out. 0 where the frame has no verdicts.
 */
unsigned verdict_losses(const struct frame *f, bool loud,
			struct verdict_loss *out, unsigned max);

/*
 * 10^9 cycles a second that the row, so judged, would not need at the IPC that
 * it had before. NAN where that is not known.
 */
double verdict_slower_by(const struct frame *f, unsigned scope,
			 const struct verdict *v);

/*
 * The row that the headline is of: what loses most and stands out, or was named
 * before and loses nearly as much; else what has become slower at the cost of
 * most cycles, for a reason that is not counted. nscopes: none.
 */
unsigned verdict_worst(const struct frame *f);

#endif
