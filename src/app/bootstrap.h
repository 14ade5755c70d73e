/* Does the difference of two series stand out of their own fluctuation? */
#ifndef APP_BOOTSTRAP_H
#define APP_BOOTSTRAP_H

#include <stdbool.h>

enum {
	BOOTSTRAP_ROUNDS = 999,
	BOOTSTRAP_BLOCKS_MIN = 8, /* fewer blocks say nothing about noise */
	/* Values on each side that are always enough, if like none other. */
	BOOTSTRAP_ENOUGH_MIN = 32
};

/* Of the difference of the means, b - a. */
struct bootstrap {
	bool enough; /* false: too few values; only the next one, the blocks */
	unsigned needs; /* values on each side, as far as these tell */
	double difference, low, high; /* 99% interval */
	unsigned block_a, block_b;    /* values in a block; 0: not known */
};

/*
 * Values of a measurement follow on each other, so blocks of them are drawn
 * instead of single ones: as long as values are like their neighbours (the
 * time over which the autocorrelation fades), and at least the cube root of n.
 * Always draws the same for the same input. Fills *out.
 */
void bootstrap_difference(const double *a, unsigned na, const double *b,
			  unsigned nb, struct bootstrap *out);

/* Values until the autocorrelation has faded, at least 1. */
unsigned bootstrap_block(const double *v, unsigned n);

#endif
