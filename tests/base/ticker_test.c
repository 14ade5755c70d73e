/* Deadlines on a grid that lateness does not move. */
#include "base/ticker.h"

#include <cmocka.h>

UNIT(test_grid)
{
	struct ticker t;
	uint64_t missed;
	int64_t late;

	ticker_start(&t, 50, 100);
	assert_int_equal(ticker_deadline(&t), 150);
	assert_false(ticker_due(&t, 149, &missed, &late));
	assert_true(ticker_due(&t, 150, &missed, &late));
	assert_int_equal(missed, 0);
	assert_int_equal(late, 0);
	assert_int_equal(ticker_deadline(&t), 250);
	/* 35 late: the next deadline is where it was. */
	assert_true(ticker_due(&t, 285, &missed, &late));
	assert_int_equal(late, 35);
	assert_int_equal(missed, 0);
	assert_int_equal(ticker_deadline(&t), 350);
	/* Three deadlines at once are one tick and two missed. */
	assert_true(ticker_due(&t, 560, &missed, &late));
	assert_int_equal(missed, 2);
	assert_int_equal(late, 210);
	assert_int_equal(ticker_deadline(&t), 650);
	assert_false(ticker_due(&t, 560, &missed, &late));
}

UNIT(test_soon)
{
	struct ticker t;
	uint64_t missed;
	int64_t late;

	ticker_start(&t, 0, 1000);
	ticker_soon(&t, 100, 200);
	assert_int_equal(ticker_deadline(&t), 300);
	assert_true(ticker_due(&t, 310, &missed, &late));
	assert_int_equal(late, 10);
	assert_int_equal(missed, 0);
	assert_int_equal(ticker_deadline(&t), 1000); /* the grid stands */
	/* Not before the grid's own deadline: no extra tick. */
	ticker_soon(&t, 900, 200);
	assert_int_equal(ticker_deadline(&t), 1000);
	/* Overtaken by the grid: one tick. */
	ticker_soon(&t, 310, 200);
	assert_true(ticker_due(&t, 1200, &missed, &late));
	assert_int_equal(late, 200);
	assert_int_equal(missed, 0);
	assert_int_equal(ticker_deadline(&t), 2000);
	assert_false(ticker_due(&t, 1200, &missed, &late));
}

/* A clock at the end of time: a deadline that never comes, and no overflow. */
UNIT(test_end_of_time)
{
	struct ticker t;
	uint64_t missed;
	int64_t late;

	ticker_start(&t, 1000300000000, 9223371036600000000);
	assert_int_equal(ticker_deadline(&t), INT64_MAX);
	assert_false(ticker_due(&t, INT64_MAX - 1, &missed, &late));
	ticker_soon(&t, INT64_MAX - 1, 200);
	assert_int_equal(ticker_deadline(&t), INT64_MAX);
	ticker_start(&t, 0, 1000);
	assert_true(ticker_due(&t, INT64_MAX - 1, &missed, &late));
	assert_int_equal(late, INT64_MAX - 1001);
	assert_int_equal(missed, (uint64_t)late / 1000);
	assert_true(ticker_deadline(&t) > INT64_MAX - 1000);
	assert_true(ticker_due(&t, INT64_MAX, &missed, &late));
	assert_int_equal(ticker_deadline(&t), INT64_MAX);
}
