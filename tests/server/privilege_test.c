/* Giving up root, the words of argv that put it off, and the terminal. */
#define _XOPEN_SOURCE 700 /* posix_openpt and its kin */
#include "server/privilege.h"

#include <cmocka.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skip.h"

/* Runs in a process of its own; its exit status. */
static int
apart(int (*run)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(run());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static int
drops(void)
{
	struct privilege_caller who = { true, 64999, 64998 };
	struct err e;

	if (!privilege_drop(&who, &e))
		return 1;
	if (getuid() != 64999 || geteuid() != 64999 || getgid() != 64998)
		return 2;
	if (setuid(0) == 0 || seteuid(0) == 0 || setgid(0) == 0)
		return 3;
	/* Whom the lists do not know has one group, and none of root's. */
	gid_t group[2] = { 0, 0 };

	if (getgroups(2, group) != 1 || group[0] != 64998 ||
	    setgroups(0, NULL) == 0)
		return 5;
	return open("/etc/shadow", O_RDONLY) >= 0 ? 4 : 0;
}

UNIT(root_is_given_up_for_good)
{
	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	assert_int_equal(apart(drops), 0);
}

/* Without root nobody else can be become: that is an error, not a shrug. */
static int
refuses(void)
{
	struct privilege_caller who = { true, 64999, 64998 };
	struct err e = { ERR_NONE, "" };

	if (geteuid() == 0 && setuid(64997) != 0)
		return 1;
	if (privilege_drop(&who, &e))
		return 2;
	return e.code == ERR_PERM ? 0 : 3;
}

UNIT(what_cannot_be_dropped_is_an_error)
{
	assert_int_equal(apart(refuses), 0);
}

static bool
begins_whole(char *word)
{
	char name[] = "ktop";
	char *argv[] = { name, word, NULL };
	struct privilege p;
	struct err e = { ERR_NONE, "" };

	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	unsetenv("KTOP_SEPARATE");
	assert_true(privilege_begin(&p, 2, argv, &e));
	assert_int_equal(p.server, 0);
	return p.whole;
}

UNIT(only_doctor_keeps_root)
{
	char doctor[] = "doctor", other[] = "topology", part[] = "doctors",
	     option[] = "--doctor";

	assert_true(begins_whole(doctor));
	assert_false(begins_whole(other));
	assert_false(begins_whole(part));
	assert_false(begins_whole(option));
}

enum { REFUSED = -2, ROOT_STAYS = -3 };

static int
caller_of(const char *uid, const char *gid)
{
	char name[] = "ktop", word[] = "doctor"; /* so that nothing forks */
	char *argv[] = { name, word, NULL };
	struct privilege p;
	struct err e = { ERR_NONE, "" };

	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
	if (uid != NULL)
		setenv("SUDO_UID", uid, 1);
	if (gid != NULL)
		setenv("SUDO_GID", gid, 1);
	if (!privilege_begin(&p, 2, argv, &e))
		return e.code == ERR_PERM && !p.caller.there ? REFUSED : -1;
	return p.caller.there ? (int)p.caller.uid : ROOT_STAYS;
}

UNIT(callers_are_numbers_in_range)
{
	if (geteuid() != 0)
		skip_because("only root can become somebody else");
	assert_int_equal(caller_of("501", "20"), 501);
	assert_int_equal(caller_of("501", "0"), 501);
	assert_int_equal(caller_of("0", "0"), ROOT_STAYS);
	assert_int_equal(caller_of(NULL, NULL), ROOT_STAYS);
	/* Neither root nor anybody: refused. */
	assert_int_equal(caller_of("501", NULL), REFUSED);
	assert_int_equal(caller_of(NULL, "20"), REFUSED);
	assert_int_equal(caller_of("", "20"), REFUSED);
	assert_int_equal(caller_of("501", ""), REFUSED);
	assert_int_equal(caller_of("501", "abc"), REFUSED);
	assert_int_equal(caller_of("-1", "20"), REFUSED);
	assert_int_equal(caller_of("4294967295", "20"), REFUSED);
	assert_int_equal(caller_of("4294967296", "20"), REFUSED);
	assert_int_equal(caller_of("501", "4294967295"), REFUSED);
	assert_int_equal(caller_of(" 501x", "20"), REFUSED);
	assert_int_equal(caller_of("501 ", "20"), REFUSED);
}

/* The screen side was quick: raw before the server had its first turn. */
static int
serves_a_raw_terminal(void)
{
	static const struct privilege_caller nobody = { .there = false };
	struct privilege_terminal found;
	struct termios raw;
	sigset_t all;
	int pair[2];

	privilege_find_terminal(&found);
	if (found.fd != 0 || tcgetattr(0, &raw) != 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		return 1;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	if (tcsetattr(0, TCSANOW, &raw) != 0)
		return 2;
	/* As before the split: the death of the screen side waits for us. */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	pid_t screen = fork();

	if (screen == 0)
		(void)raise(SIGKILL);
	privilege_serve(pair[0], screen, &nobody, &found);
}

UNIT(the_terminal_is_put_back_as_it_was_before_the_split)
{
	int far = posix_openpt(O_RDWR | O_NOCTTY), status;
	struct termios before, after;

	assert_true(far >= 0 && grantpt(far) == 0 && unlockpt(far) == 0);
	int near = open(ptsname(far), O_RDWR | O_NOCTTY);

	assert_int_equal(tcgetattr(near, &before), 0);
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		for (int fd = 0; fd < 3; fd++)
			(void)dup2(near, fd);
		_exit(serves_a_raw_terminal());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(tcgetattr(near, &after), 0);
	assert_int_equal(after.c_lflag, before.c_lflag);
	(void)close(near);
	(void)close(far);
}
