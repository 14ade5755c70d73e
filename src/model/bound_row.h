/* All metrics of one row: what they have in common is looked at once. */
#ifndef MODEL_BOUND_ROW_H
#define MODEL_BOUND_ROW_H

#include "model/bound.h"

/* What a row gives besides 1 << term_source, in the bits behind those. */
#define BOUND_ROW_AWAKE (UINT32_C(1) << 30) /* some CPU of it was not idle */
#define BOUND_ROW_NEVER (UINT32_C(1) << 31)

/*
 * Ratios of counts that each CPU of the row has, of all of its time, and that
 * nothing speaks against: most are, and they need not be asked one by one.
 */
struct bound_row {
	const struct sums *sums;
	uint32_t gives; /* bits that a bound's `wants` must be among */
	double value[TERM_SOURCES]; /* those of `gives` */
};

/* need: 1 << term_source of all metrics that will be asked for. */
void bound_row_make(struct bound_row *r, const struct sums *s, uint32_t need);

/* As bound_value. */
double bound_row_value(const struct bound_row *r, const struct bound *b,
		       const struct members *who, enum value_state *state,
		       unsigned *marks);

/* The last value that was known, and when. */
struct bound_last {
	double value, elapsed_s;
};

/* Where a row's values go, by the metric's index. */
struct bound_cells {
	double *value;
	uint8_t *state;
	/* What was there before, at that time, goes here where there is
	   nothing now; NULL: it goes nowhere. */
	struct bound_last *last;
	double before_s;
};

static inline void
bound_cell_put(const struct bound_cells *c, unsigned metric, double value,
	       uint8_t state)
{
	if (value != value && c->last != NULL &&
	    c->value[metric] == c->value[metric])
		c->last[metric] =
			(struct bound_last){ c->value[metric], c->before_s };
	c->value[metric] = value;
	c->state[metric] = state;
}

/* All of them. */
void bound_row_values(const struct sums *s, const struct bound *b, unsigned n,
		      const struct members *who, uint32_t need,
		      const struct bound_cells *to);

#endif
