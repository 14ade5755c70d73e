/* Events that a kernel is known to refuse. */
#include "app/refused.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Selectors of the M1: 0x51 is in its database, and not on the list. */
static const struct event made_up[] = {
	{ .name = "CORE_ACTIVE_CYCLE", .number = 0x02, .counters = 0x3fc },
	{ .name = "FIXED_CYCLES", .number = 0, .fixed = true },
	{ .name = "INST_ALL", .number = 0x8c, .counters = 0x80 },
	{ .name = "SCHEDULE_EMPTY", .number = 0x51, .counters = 0x3fc },
};
static const struct catalog m1 = { "a14", made_up, 4, 0x3fc };
static const struct catalog same_again = { "a14", made_up, 4, 0x3fc };
static const struct catalog linux_pmu = { "cpu_core", made_up, 4, 0x3fc };

static uint64_t
bits(const struct catalog *c, const char *os)
{
	struct refused r = { .catalog = NULL };

	refused_begin(&r, c, os);
	return r.bit[0];
}

static void
test_the_list_holds_from_14_4_to_15(void **state)
{
	(void)state;
	assert_int_equal(bits(&m1, "macOS 14.4"), 1u << 3);
	assert_int_equal(bits(&m1, "macOS 15.4"), 1u << 3);
	assert_int_equal(bits(&m1, "macOS 15.7.1"), 1u << 3);
	assert_int_equal(bits(&m1, "macOS 14.3"), 0);
	assert_int_equal(bits(&m1, "macOS 26.0"), 0); /* not public */
	assert_int_equal(bits(&m1, "Linux 6.1"), 0);
	assert_int_equal(bits(&m1, ""), 0);
	assert_int_equal(bits(&m1, NULL), 0);
	assert_int_equal(bits(&linux_pmu, "macOS 15.4"), 0);
	assert_int_equal(bits(NULL, "macOS 15.4"), 0);
}

static void
test_refusals_are_remembered(void **state)
{
	struct refused r = { .catalog = NULL };
	struct err e = { ERR_NONE, "" };

	(void)state;
	refused_begin(&r, &m1, "macOS 26.0");
	(void)err_set(&e, ERR_PERM,
		      "macOS refuses to count INST_ALL (event 0x8c); leave it "
		      "out");
	refused_learn(&r, &e);
	assert_int_equal(r.bit[0], 1u << 2);
	refused_begin(&r, &m1, "macOS 26.0"); /* each drawing: they stay */
	assert_int_equal(r.bit[0], 1u << 2);
	refused_begin(&r, &same_again, "macOS 26.0");
	assert_int_equal(r.bit[0], 0);
	(void)err_set(&e, ERR_PERM, "ktop refuses to count NOTHING (event 0)");
	refused_learn(&r, &e);
	(void)err_set(&e, ERR_FAIL,
		      "macOS refuses to count INST_ALL (event 0x8c)");
	refused_learn(&r, &e);
	assert_int_equal(r.bit[0], 0);
}

int
main(void)
{
	const struct CMUnitTest test[] = {
		cmocka_unit_test(test_the_list_holds_from_14_4_to_15),
		cmocka_unit_test(test_refusals_are_remembered),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
