/* What a crash does before it ends the process: the rescues, in their order. */
#include "process/crash.h"

#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SAYS_FD = 9 };

static void
terminal(void)
{
	(void)!write(SAYS_FD, "terminal ", 9);
}

static void
counters(void)
{
	(void)!write(SAYS_FD, "counters ", 9);
}

static void
other_process(void)
{
	(void)!write(SAYS_FD, "other ", 6);
}

static void
nothing_to_rescue(void)
{
}

static void
all_three(void)
{
	crash_set_rescue(CRASH_OTHER_PROCESS, other_process);
	crash_set_rescue(CRASH_COUNTERS, counters);
	crash_set_rescue(CRASH_TERMINAL, terminal);
}

static void
counters_were_back(void)
{
	all_three();
	crash_set_rescue(CRASH_COUNTERS, NULL);
}

/* What a process said that prepared so and got the signal; it died of it. */
static const char *
dies(void (*prepare)(void), int number)
{
	static char said[256];
	size_t len = 0;
	ssize_t n;
	int ends[2], status;

	assert_int_equal(pipe(ends), 0);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct rlimit none = { 0, 0 };

		(void)setrlimit(RLIMIT_CORE, &none);
		(void)dup2(ends[1], SAYS_FD);
		(void)dup2(open("/dev/null", O_WRONLY), STDERR_FILENO);
		(void)crash_open("\ncrashed\n");
		prepare();
		(void)raise(number);
		_exit(1);
	}
	(void)close(ends[1]);
	while ((n = read(ends[0], said + len, sizeof said - 1 - len)) > 0)
		len += (size_t)n;
	said[len] = '\0';
	(void)close(ends[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
	return said;
}

UNIT(each_part_is_put_back_in_order)
{
	assert_string_equal(dies(all_three, SIGSEGV),
			    "terminal counters other ");
	/* Nobody's fault, and the end all the same. */
	assert_string_equal(dies(all_three, SIGUSR2),
			    "terminal counters other ");
}

UNIT(what_is_back_already_is_left_alone)
{
	assert_string_equal(dies(counters_were_back, SIGABRT),
			    "terminal other ");
	assert_string_equal(dies(nothing_to_rescue, SIGABRT), "");
}

UNIT(who_asks_is_told_what_is_set)
{
	assert_null((void *)(size_t)crash_get_rescue(CRASH_COUNTERS));
	crash_set_rescue(CRASH_COUNTERS, counters);
	assert_true(crash_get_rescue(CRASH_COUNTERS) == counters);
	crash_set_rescue(CRASH_COUNTERS, NULL);
}
