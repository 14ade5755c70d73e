/* What the server's filter of system calls lets through, and what not. */
#include "server/privilege.h"

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "skip.h"

enum { NO_FILTER = 77, PAGE = 4096 };

/* Nothing of the C library's between the call and the kernel. */
static long
opens(const char *path, int flags)
{
	return syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
}

static bool
is_refused(long result)
{
	return result < 0 && errno == EPERM;
}

static int
files(void)
{
	static const int writing[] = { O_WRONLY, O_RDWR, O_RDONLY | O_CREAT,
				       O_RDONLY | O_TRUNC,
				       O_WRONLY | O_CREAT | O_EXCL };
	enum { N = sizeof writing / sizeof *writing };

	if (opens("/dev/null", O_RDONLY | O_CLOEXEC) < 0)
		return 1;
	for (int i = 0; i < N; i++) {
		if (!is_refused(opens("/dev/null", writing[i])))
			return 10 + i;
#ifdef SYS_open
		if (!is_refused(syscall(SYS_open, "/dev/null", writing[i], 0)))
			return 20 + i;
#endif
	}
#ifdef SYS_creat
	if (!is_refused(syscall(SYS_creat, "/dev/null", 0600)))
		return 2;
#endif
	return is_refused(syscall(SYS_unlinkat, AT_FDCWD, "none", 0)) ? 0 : 3;
}

static int
code(void)
{
	const int no_file = -1, shared = MAP_PRIVATE | MAP_ANONYMOUS;
	long at = syscall(SYS_mmap, NULL, PAGE, PROT_READ | PROT_WRITE, shared,
			  no_file, 0);

	if (at == -1)
		return 1;
	if (!is_refused(syscall(SYS_mmap, NULL, PAGE, PROT_READ | PROT_EXEC,
				shared, no_file, 0)))
		return 2;
	if (!is_refused(syscall(SYS_mprotect, at, PAGE, PROT_READ | PROT_EXEC)))
		return 3;
	return syscall(SYS_mprotect, at, PAGE, PROT_READ) == 0 ? 0 : 4;
}

static int
others(void)
{
	char *argv[] = { NULL };

	if (!is_refused(execve("/bin/true", argv, argv)))
		return 1;
	if (!is_refused(fork()))
		return 2;
	if (!is_refused(socket(AF_UNIX, SOCK_STREAM, 0)))
		return 3;
	if (!is_refused(setuid(getuid())))
		return 4;
	return getpid() > 0 ? 0 : 5;
}

static void
sealed(int (*run)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(privilege_filter_calls() ? run() : NO_FILTER);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == NO_FILTER)
		skip_because("this kernel takes no filter of system calls");
	assert_int_equal(WEXITSTATUS(status), 0);
}

UNIT(files_are_opened_for_reading_only)
{
	sealed(files);
}

UNIT(no_memory_becomes_code)
{
	sealed(code);
}

UNIT(nothing_is_started_or_connected)
{
	sealed(others);
}
