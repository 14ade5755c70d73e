/* How sure a difference of two ratios is, by blocks of the samples in time. */
#ifndef MODEL_BLOCKS_H
#define MODEL_BLOCKS_H

#include "model/student.h"

#include <stdbool.h>

/*
 * The influence of a sample on R = sum(num) / sum(den) is (num - R den) /
 * mean(den). Its means over 6 equal blocks are nearly independent even where
 * neighbouring samples are not, so that Welch's t test of the blocks needs no
 * estimate of how long samples stay alike. Rates: tests/model/blocks_test.c.
 */
enum {
	BLOCKS = 6,
	BLOCKS_SAMPLES_MIN = 300 /* with fewer, neighbouring blocks are alike */
};

struct blocks_series {
	const double *num, *den; /* [n]; den >= 0, and its sum above 0 */
	unsigned n;              /* at least BLOCKS */
	double ratio; /* R, given since more may be known of it than these */
};

/*
 * b - a into *out. False where a side drifts by about as much: a straight line
 * explains how its blocks differ, and nothing in two recordings tells such a
 * drift from a difference.
 */
bool blocks_difference(const struct blocks_series *a,
		       const struct blocks_series *b, double confidence,
		       struct difference *out);

#endif
