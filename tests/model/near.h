/* Values of frames, to the rounding of a few operations. */
#ifndef TESTS_MODEL_NEAR_H
#define TESTS_MODEL_NEAR_H

#include "model/rig.h"

#include <cmocka.h>

static inline bool
near(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fabs(b) + 1e-12;
}

#define assert_value(f, scope, metric, want) \
	assert_true(near(rig_value(f, scope, metric), want))

#endif
