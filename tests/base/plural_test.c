#include "base/plural.h"

#include <cmocka.h>

UNIT(one_is_one)
{
	assert_string_equal(plural(1, "CPU", "CPUs"), "CPU");
	assert_string_equal(plural(0, "CPU", "CPUs"), "CPUs");
	assert_string_equal(plural(2, "CPU", "CPUs"), "CPUs");
	assert_string_equal(plural(UINT64_C(1) << 32 | 1, "was", "were"),
			    "were");
}
