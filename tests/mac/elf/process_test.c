/*
 * What the simulator and the loader ask a Mac about processes: when one was
 * born (src/sim/mac/process.c), and whether this one was started with
 * somebody else's rights (src/kperf/mac/system.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_mac.h"
#include "kperf/load.h"
#include "sim/inside.h"

static const struct fake_process runs = {
	.pid = 501, .status = 2, .start_s = 1700000000, .start_us = 123456
};
static const struct fake_process zombie = { .pid = 502,
					    .status = 5,
					    .start_s = 1700000000 };
static const struct fake_mac mac = { .process = &runs,
				     .program = "a program of a long name" };
static const struct fake_mac undead = { .process = &zombie };
static const struct fake_mac lent = { .setugid = true };

static void
test_a_running_process_has_a_birth(void **state)
{
	(void)state;
	fake_use(&mac);
	assert_true(sim_process_born(501) == 1700000000123456);
	assert_int_equal(fake_misuse(), 0);
}

static void
test_the_dead_have_none(void **state)
{
	(void)state;
	fake_use(&mac);
	assert_true(sim_process_born(7) == -1);
	fake_use(&undead);
	assert_true(sim_process_born(502) == -1);
	assert_int_equal(fake_misuse(), 0);
}

/* Cut as the kernel cuts it; without one there is no text of chance. */
static void
test_a_program_has_a_name(void **state)
{
	char name[SIM_NAME] = "before";

	(void)state;
	fake_use(&mac);
	sim_process_name(name, sizeof name);
	assert_string_equal(name, "a program of a l");
	fake_use(&undead);
	sim_process_name(name, sizeof name);
	assert_string_equal(name, "");
}

static void
test_rights_of_somebody_else(void **state)
{
	(void)state;
	fake_use(&mac);
	assert_false(kperf_privileged_os());
	fake_use(&lent);
	assert_true(kperf_privileged_os());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_running_process_has_a_birth),
		cmocka_unit_test(test_the_dead_have_none),
		cmocka_unit_test(test_a_program_has_a_name),
		cmocka_unit_test(test_rights_of_somebody_else),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
