/* What a caller left open is closed, whatever its number. */
#include "process/descriptors.h"

#include <cmocka.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skip.h"

enum { FROM = 100, LOW = 120, KEPT = 121, HIGH = 4500, TOP = 9000 };

static bool
is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

/* 0: as it should be. In a process of its own. */
static int
closes(void (*way)(int, const int *, unsigned))
{
	static const int keep[] = { HIGH, -1, KEPT };
	static const int number[] = { FROM - 1, FROM, LOW, KEPT, HIGH, TOP };
	struct rlimit r;
	int null = open("/dev/null", O_RDONLY);

	if (getrlimit(RLIMIT_NOFILE, &r) != 0 || r.rlim_max <= TOP)
		return 77;
	r.rlim_cur = TOP + 1;
	if (setrlimit(RLIMIT_NOFILE, &r) != 0)
		return 77;
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		if (dup2(null, number[i]) < 0)
			return 77;
	/* Lowered since: an open one stays open above it. */
	r.rlim_cur = 256;
	if (setrlimit(RLIMIT_NOFILE, &r) != 0)
		return 77;
	way(FROM, keep, 3);
	return !is_open(FROM - 1) || is_open(FROM) || is_open(LOW) ||
	       !is_open(KEPT) || !is_open(HIGH) || is_open(TOP) ||
	       !is_open(STDOUT_FILENO);
}

static void
apart(void (*way)(int, const int *, unsigned))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(closes(way));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77)
		skip_because("the limit of open files cannot be set here");
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void
listed(int from, const int *keep, unsigned n)
{
	if (!descriptors_close_listed(from, keep, n))
		_exit(2);
}

UNIT(the_best_way_there_is)
{
	apart(descriptors_close);
}

UNIT(from_the_list_of_open_ones)
{
	apart(listed);
}

UNIT(by_counting)
{
	apart(descriptors_close_counted);
}
