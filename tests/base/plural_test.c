#include "base/plural.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void
one_is_one(void **state)
{
	(void)state;
	assert_string_equal(plural(1, "CPU", "CPUs"), "CPU");
	assert_string_equal(plural(0, "CPU", "CPUs"), "CPUs");
	assert_string_equal(plural(2, "CPU", "CPUs"), "CPUs");
	assert_string_equal(plural(UINT64_C(1) << 32 | 1, "was", "were"),
			    "were");
}

int
main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(one_is_one) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
