#include "process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/caller.h"

/* What the new process says before it is the command. */
struct failure {
	int error;
	bool identity; /* it could not become the user */
};

static void
say(int fd, int error, bool identity)
{
	struct failure f = { error, identity };

	(void)!write(fd, &f, sizeof f);
	_exit(CHILD_CANNOT);
}

/* The user's environment as a login has it, without sudo's traces. */
static bool
user_environment(const struct passwd *pw)
{
	static const char *const traces[] = { "SUDO_UID",  "SUDO_GID",
					      "SUDO_USER", "SUDO_COMMAND",
					      "SUDO_HOME", "DOAS_USER",
					      "PKEXEC_UID" };

	for (unsigned i = 0; i < sizeof traces / sizeof *traces; i++)
		(void)unsetenv(traces[i]);
	if (pw == NULL)
		return true;
	return setenv("HOME", pw->pw_dir, 1) == 0 &&
	       setenv("USER", pw->pw_name, 1) == 0 &&
	       setenv("LOGNAME", pw->pw_name, 1) == 0 &&
	       (pw->pw_shell == NULL || pw->pw_shell[0] == '\0' ||
		setenv("SHELL", pw->pw_shell, 1) == 0);
}

static bool
become_user(void)
{
	uid_t uid;
	gid_t gid;

	if (!caller_of_sudo(&uid, &gid)) {
		/* Rights borrowed by a set-uid bit are not for the command. */
		return setgid(getgid()) == 0 && setuid(getuid()) == 0 &&
		       (getenv("SUDO_UID") == NULL || getuid() == 0 ||
			user_environment(getpwuid(getuid())));
	}
	if (!caller_become(uid, gid))
		return false;
	errno = EPERM;
	return caller_stays(uid, gid) && user_environment(getpwuid(uid));
}

static void
become_command(char *const argv[], const sigset_t *mask, int fd)
{
	struct sigaction normal = { .sa_handler = SIG_DFL };

	/* ktop ignores these; what it catches goes with exec. */
	(void)sigaction(SIGPIPE, &normal, NULL);
	(void)sigaction(SIGXFSZ, &normal, NULL);
	(void)sigprocmask(SIG_SETMASK, mask, NULL);
	if (!become_user())
		say(fd, errno, true);
	(void)execvp(argv[0], argv);
	say(fd, errno, false);
}

static bool
close_on_exec(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static bool
heard(struct child *c, const char *name, const struct failure *f, struct err *e)
{
	int status;

	while (waitpid(c->pid, &status, 0) < 0 && errno == EINTR)
		;
	c->ended = true;
	c->code = f->error == ENOENT && !f->identity ? CHILD_NOT_FOUND
						     : CHILD_CANNOT;
	if (f->identity)
		return err_set(
			e, ERR_PERM,
			"cannot become the user who called sudo (%s), so %s is not run",
			strerror(f->error), name);
	return err_set(e, ERR_FAIL, "cannot run %s: %s", name,
		       strerror(f->error));
}

bool
child_start(struct child *c, char *const argv[], const sigset_t *mask,
	    struct err *e)
{
	struct failure f;
	int ends[2];
	ssize_t n;

	*c = (struct child){ .code = CHILD_CANNOT };
	if (pipe(ends) != 0)
		return err_set(e, ERR_FAIL, "cannot run %s: %s", argv[0],
			       strerror(errno));
	bool ok = close_on_exec(ends[0]) && close_on_exec(ends[1]);

	if (ok)
		c->pid = fork();
	if (ok && c->pid == 0)
		become_command(argv, mask, ends[1]);
	int error = errno;

	(void)close(ends[1]);
	do
		n = ok && c->pid > 0 ? read(ends[0], &f, sizeof f) : 0;
	while (n < 0 && errno == EINTR);
	(void)close(ends[0]);
	if (!ok || c->pid < 0) {
		c->pid = 0;
		return err_set(e, ERR_FAIL, "cannot run %s: %s", argv[0],
			       strerror(error));
	}
	return n == (ssize_t)sizeof f ? heard(c, argv[0], &f, e) : true;
}

bool
child_ended(struct child *c)
{
	int status;

	if (c->ended || c->pid <= 0 || waitpid(c->pid, &status, WNOHANG) <= 0)
		return c->ended;
	c->ended = true;
	c->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				      : WEXITSTATUS(status);
	return true;
}
