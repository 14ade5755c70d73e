/* The budget of tracing: when samples become rarer, and often again. */
#include "source/kperf/state.h"

#include <cmocka.h>

static uint64_t
looks(struct trace_budget *b, unsigned n, uint64_t period, double records,
      double share)
{
	while (n-- > 0)
		period = trace_budget_period(b, period, records, share);
	return period;
}

UNIT(rarer_and_often_again)
{
	struct trace_budget b = { 0, 0 };
	uint64_t p = TRACE_PERIOD_NS;

	assert_int_equal(looks(&b, 100, p, 40000, 0.015), p);
	/* Four that are too many are none; five are. */
	assert_int_equal(looks(&b, 4, p, 60000, 0), p);
	assert_int_equal(looks(&b, 1, p, 100, 0), p);
	assert_int_equal(looks(&b, 5, p, 60000, 0), 2 * p);
	p = looks(&b, 5, 2 * p, 100, 0.03);
	assert_int_equal(p, 4 * TRACE_PERIOD_NS);
	p = looks(&b, 1000, p, 60000, 0.03);
	assert_int_equal(p, 1000000000);
	/* Not while twice as many would be too many. */
	assert_int_equal(looks(&b, 1000, p, 26000, 0), p);
	assert_int_equal(looks(&b, 29, p, 100, 0), p);
	assert_int_equal(looks(&b, 1, p, 100, 0), p / 2);
	assert_int_equal(looks(&b, 1000, p, 100, 0), TRACE_PERIOD_NS);
}
