#define _XOPEN_SOURCE 700 /* posix_openpt and its kin */

#include "base/fd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void
only_the_far_end_of_a_terminal(void **state)
{
	int ends[2], null = open("/dev/null", O_RDWR);
	int far = posix_openpt(O_RDWR | O_NOCTTY);

	(void)state;
	assert_true(null >= 0);
	assert_int_equal(pipe(ends), 0);
	assert_false(fd_is_endless(null));
	assert_false(fd_is_endless(ends[0]));
	assert_false(fd_is_endless(-1));
	if (far < 0)
		skip();
	assert_true(fd_is_endless(far));
	assert_int_equal(grantpt(far), 0);
	assert_int_equal(unlockpt(far), 0);
	int near = open(ptsname(far), O_RDWR | O_NOCTTY);

	assert_true(near >= 0);
	assert_false(fd_is_endless(near));
	(void)close(near);
	(void)close(far);
	(void)close(null);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_the_far_end_of_a_terminal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
