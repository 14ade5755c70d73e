/* How samples of several CPUs lie in a ring. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "source/kperf/trace_shape.h"

#define R(cpu_, at, part)                                \
	(struct kperf_record)                            \
	{                                                \
		.timestamp = (at), .cpu = (cpu_),        \
		.debugid = KPERF_REC_KPC_THREAD | (part) \
	}

static void
in_a_row(void **state)
{
	const struct kperf_record r[] = {
		R(0, 100, 1),
		R(0, 100, 0),
		R(0, 100, 2),
		R(1, 110, 1),
		R(1, 111, 0),
		R(1, 112, 2),
		/* the same CPU, and too late */
		R(1, 120, 1),
		R(1, 120, 0),
		R(1, 120, 2),
		R(0, 221, 1),
		R(0, 221, 0),
		R(0, 221, 2),
	};
	struct trace_shape s = { 0 };

	(void)state;
	trace_shape_add(&s, 100, r, sizeof(r) / sizeof(r[0]));
	assert_int_equal(s.samples, 4);
	assert_int_equal(s.mixed, 0);
	assert_int_equal(s.near, 1);
	assert_int_equal(s.ticks, 10);
	assert_int_equal(s.most, 10);
}

static void
in_between(void **state)
{
	const struct kperf_record r[] = {
		R(0, 100, 1),
		R(1, 101, 1),
		R(0, 101, 0),
		R(1, 102, 0),
		R(0, 102, 2),
		R(1, 103, 2),
		/* one that lacks its end, and one that is cut */
		R(2, 110, 1),
		R(2, 110, 0),
		R(2, 150, 1),
		R(3, 151, 1),
	};
	struct trace_shape s = { 0 };

	(void)state;
	trace_shape_add(&s, 100, r, 5);
	assert_int_equal(s.mixed, 1);
	trace_shape_add(&s, 100, r + 5, 5);
	assert_int_equal(s.samples, 5);
	assert_int_equal(s.mixed, 1);
	assert_int_equal(s.near, 3);
	assert_int_equal(s.ticks, 1 + 9 + 1);
	assert_int_equal(s.most, 9);
	s = (struct trace_shape){ 0 };
	trace_shape_add(&s, 100, r, sizeof(r) / sizeof(r[0]));
	assert_int_equal(s.mixed, 2);
	trace_shape_add(&s, 100, r, 0);
	assert_int_equal(s.samples, 5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_a_row),
		cmocka_unit_test(in_between),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
