/* The main of unit tests that have none: see tests/cmocka.h. */
#include <assert.h>

#include <cmocka.h>

enum { TESTS_MAX = 200 };

static struct CMUnitTest tests[TESTS_MAX];
static size_t ntests;
static CMFixtureFunction set_up, tear_down;

void
test_add(struct CMUnitTest test)
{
	assert(ntests < TESTS_MAX);
	tests[ntests++] = test;
}

void
test_group(CMFixtureFunction setup, CMFixtureFunction teardown)
{
	set_up = setup;
	tear_down = teardown;
}

int
main(void)
{
	return _cmocka_run_group_tests("tests", tests, ntests, set_up,
				       tear_down);
}
