/* Reading back what a rig's monitor keeps of the whole run. */
#ifndef TESTS_MODEL_LONGRUN_KIT_H
#define TESTS_MODEL_LONGRUN_KIT_H

#include "monitor/history.h"

#include <cmocka.h>

#include "model/rig.h"

enum { DOTS = 100 };

/* Reproducible, and nothing like the last. */
static inline uint64_t
next(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static inline const struct history *
run_of(const struct rig *r)
{
	return monitor_past(r->m);
}

/* The metric of a row in `dots` dots; how many there are. */
static inline unsigned
read_dots(const struct rig *r, double until_s, const char *metric,
	  unsigned scope, unsigned dots, float *out)
{
	struct history_plan plan;

	if (!history_run_plan(run_of(r), until_s, 0, dots, &plan))
		return 0;
	assert_true(plan.n * plan.repeat <= dots);
	history_run_read(run_of(r), &plan, &metric_table[metric_find(metric)],
			 scope, out);
	return plan.n;
}

/* All of the run as one number. */
static inline double
one(const struct rig *r, const char *metric, unsigned scope)
{
	float out[1] = { 7 };

	assert_int_equal(read_dots(r, 1e12, metric, scope, 1, out), 1);
	return (double)out[0];
}

/* What the metric is made of, over all of the run. */
static inline struct span
sums_of(const struct rig *r, const char *metric, unsigned scope)
{
	struct span out;

	assert_true(history_run_sum(
		run_of(r), &metric_table[metric_find(metric)], scope, &out));
	return out;
}

static inline void
near(double a, double b)
{
	if (!(fabs(a - b) <= 1e-5 * fabs(b)))
		print_error("%.9g is not %.9g\n", a, b);
	assert_true(fabs(a - b) <= 1e-5 * fabs(b));
}

#endif
