/*
 * The library's header, taken as a system's: its macros trip the warnings that
 * are errors here wherever its folder was given by -I. It wants these before.
 */
#ifndef TESTS_CMOCKA_H
#define TESTS_CMOCKA_H
#pragma GCC system_header
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include_next <cmocka.h>

/*
 * UNIT(what_it_shows) { ... } is a test that the main of tests/main.c runs, in
 * the order of the file; UNIT_IN with a setup and a teardown of its own, or
 * NULL. UNITS_IN(setup, teardown) is of all tests of the program.
 */
void test_add(struct CMUnitTest test);
void test_group(CMFixtureFunction setup, CMFixtureFunction teardown);

#define UNIT_IN(name, setup, teardown)                                      \
	static void name(void **state);                                     \
	__attribute__((constructor)) static void name##_is_a_test(void)     \
	{                                                                   \
		test_add((struct CMUnitTest){ #name, name, setup, teardown, \
					      NULL });                      \
	}                                                                   \
	static void name(void **state)
#define UNIT(name) UNIT_IN(name, NULL, NULL)

/* Of calls that return 0, or an error: no error. */
#define OK(call) assert_int_equal(call, 0)
#define UNITS_IN(setup, teardown)                                \
	__attribute__((constructor)) static void all_tests(void) \
	{                                                        \
		test_group(setup, teardown);                     \
	}
#endif
