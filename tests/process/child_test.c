/* Commands that are held at the door, looked at as zombies, and taken. */
#include "process/child.h"

#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static sigset_t none;
static char sh[] = "sh", minus_c[] = "-c", echo[] = "echo here; exit 7";
static char nowhere[] = "/no/such/command", root[] = "/";
static char sleeps[] = "sleep", minute[] = "60";

/* Its standard output is `out`. */
static void
hold(struct child *c, char *const argv[], int out)
{
	struct err e = { ERR_NONE, "" };
	int was = dup(STDOUT_FILENO);

	(void)dup2(out, STDOUT_FILENO);
	bool ok = child_prepare(c, argv, &none, 0, &e);

	(void)dup2(was, STDOUT_FILENO);
	(void)close(was);
	if (!ok)
		fail_msg("%s", e.text);
}

static void
await(const struct child *c)
{
	while (!child_is_done(c))
		(void)poll(NULL, 0, 1);
}

static void
commands_wait_at_the_door(void **state)
{
	char *argv[] = { sh, minus_c, echo, NULL };
	struct child c;
	struct rusage use;
	char text[16];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	(void)fcntl(ends[0], F_SETFL, O_NONBLOCK);
	hold(&c, argv, ends[1]);
	assert_true(c.pid > 0);
	assert_false(child_is_done(&c));
	(void)poll(NULL, 0, 20);
	assert_true(read(ends[0], text, sizeof text) < 0);
	assert_true(child_exec(&c, argv[0], NULL));
	await(&c);
	assert_int_equal(read(ends[0], text, sizeof text), 5);
	/* It can be asked for as long as nobody takes it. */
	assert_false(c.ended);
	assert_int_equal(kill(c.pid, 0), 0);
	child_reap(&c, &use);
	assert_true(c.ended);
	assert_int_equal(c.code, 7);
	assert_true(use.ru_maxrss > 0);
	assert_true(kill(c.pid, 0) < 0);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static void
what_is_dropped_never_runs(void **state)
{
	char *argv[] = { sh, minus_c, echo, NULL };
	struct child c;
	char text[16];
	int ends[2];

	assert_int_equal(pipe(ends), 0);
	hold(&c, argv, ends[1]);
	child_discard(&c);
	assert_true(c.ended);
	(void)close(ends[1]);
	assert_int_equal(read(ends[0], text, sizeof text), 0);
	(void)close(ends[0]);
}

static void
what_is_no_command_says_so(void **state)
{
	char *argv[] = { nowhere, NULL };
	char *folder[] = { root, NULL };
	struct err e = { ERR_NONE, "" };
	struct child c;

	assert_true(child_prepare(&c, argv, &none, 0, &e));
	assert_false(child_exec(&c, argv[0], &e));
	assert_int_equal(c.code, CHILD_NOT_FOUND);
	assert_true(child_is_done(&c));
	assert_true(child_prepare(&c, folder, &none, 0, &e));
	assert_false(child_exec(&c, folder[0], &e));
	assert_int_equal(c.code, CHILD_CANNOT);
}

static void
note(int number)
{
}

/* A signal that came meanwhile is the command's, not a handler's of ours. */
static void
signals_are_kept_for_the_command(void **state)
{
	struct sigaction ours = { .sa_handler = note }, was;
	char *argv[] = { sleeps, minute, NULL };
	struct rusage use;
	struct child c;
	sigset_t block;

	(void)sigaction(SIGTERM, &ours, &was);
	(void)sigemptyset(&block);
	(void)sigaddset(&block, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &block, NULL);
	assert_true(child_prepare(&c, argv, &none, 0, NULL));
	assert_int_equal(kill(c.pid, SIGTERM), 0);
	(void)child_exec(&c, argv[0], NULL);
	child_reap(&c, &use);
	assert_int_equal(c.code, 128 + SIGTERM);
	(void)sigprocmask(SIG_SETMASK, &none, NULL);
	(void)sigaction(SIGTERM, &was, NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_wait_at_the_door),
		cmocka_unit_test(what_is_dropped_never_runs),
		cmocka_unit_test(what_is_no_command_says_so),
		cmocka_unit_test(signals_are_kept_for_the_command),
	};

	(void)sigemptyset(&none);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
