#define _XOPEN_SOURCE 700 /* posix_openpt and its kin */

#include "base/fd.h"

#include <cmocka.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "skip.h"

UNIT(only_the_far_end_of_a_terminal)
{
	int ends[2], null = open("/dev/null", O_RDWR);
	int far = posix_openpt(O_RDWR | O_NOCTTY);

	assert_true(null >= 0);
	assert_int_equal(pipe(ends), 0);
	assert_false(fd_is_endless(null));
	assert_false(fd_is_endless(ends[0]));
	assert_false(fd_is_endless(-1));
	if (far < 0)
		skip_because("no terminal can be made here");
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

/* What is opened later must not take the place of closed ones. */
UNIT(closed_standard_descriptors_are_held)
{
	int kept[3], wrote, again;
	char byte = 'x';

	for (int fd = 0; fd < 3; fd++)
		kept[fd] = fcntl(fd, F_DUPFD, 10);
	(void)close(STDIN_FILENO);
	(void)close(STDOUT_FILENO);
	fd_keep_standard();
	wrote = (int)write(STDOUT_FILENO, &byte, 1);
	again = (int)read(STDIN_FILENO, &byte, 1);
	int next = open("/dev/null", O_RDWR);

	for (int fd = 0; fd < 3; fd++) {
		(void)dup2(kept[fd], fd);
		(void)close(kept[fd]);
	}
	assert_int_equal(wrote, -1);
	assert_int_equal(again, -1);
	assert_true(next > STDERR_FILENO);
	(void)close(next);
}
