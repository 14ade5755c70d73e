/* What bound.c and bound_share.c share: counts of a row, by term. */
#ifndef MODEL_BOUND_PARTS_H
#define MODEL_BOUND_PARTS_H

#include "model/bound.h"

/*
 * A term's count; scaled: brought to the row's whole time. Only where the parts
 * of a metric were counted for different times does this change a ratio.
 */
double bound_part_value(const struct bound_part *p, const struct sums *s,
			bool scaled);
double bound_sum_parts(const struct bound_part *part, unsigned n,
		       const struct sums *s, bool scaled);

/* Were all counts of the metric taken over one and the same time? */
bool bound_one_time(const struct bound *b, const struct sums *s);

/*
 * The sums of those members, of one kind or (-1) of all, that have all the
 * metric needs. False: none.
 */
bool bound_sum_able(const struct bound *b, const struct members *who, int kind,
		    struct sums *out);

double bound_share_value(const struct bound *b, const struct sums *s,
			 const struct members *who, enum value_state *state);

#endif
