#include "process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "process/caller.h"

struct child_report {
	int error; /* errno; 0: exec comes next */
	bool identity;
	struct child_use use;
};

static void
child_send_report(int fd, int error, bool identity)
{
	struct child_report w = { .error = error, .identity = identity };

	(void)!write(fd, &w, sizeof w);
	_exit(CHILD_CANNOT);
}

static double
timeval_seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void
child_send_use(int fd)
{
	struct child_report w = { .error = 0 };
	struct rusage r;

	if (getrusage(RUSAGE_SELF, &r) != 0)
		return;
	w.use = (struct child_use){ timeval_seconds(r.ru_utime),
				    timeval_seconds(r.ru_stime) };
	(void)!write(fd, &w, sizeof w);
}

/* Sets a login's environment and removes sudo's variables. */
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
		/* The command does not get rights of a set-uid ktop. */
		return setgid(getgid()) == 0 && setuid(getuid()) == 0 &&
		       (getenv("SUDO_UID") == NULL || getuid() == 0 ||
			user_environment(getpwuid(getuid())));
	}
	if (!caller_become(uid, gid))
		return false;
	errno = EPERM;
	return caller_is_permanent(uid, gid) && user_environment(getpwuid(uid));
}

/* Ends the process if ktop dies or calls child_discard. */
static void
wait_for_start(int fd)
{
	char c;
	ssize_t n;

	do
		n = read(fd, &c, 1);
	while (n < 0 && errno == EINTR);
	if (n != 1)
		_exit(CHILD_CANNOT);
}

/* Call before restoring the signal mask, so that pending signals act as they
 * would after exec. Signals that ktop inherited as ignored stay ignored, except
 * SIGPIPE and SIGXFSZ, which ktop ignores itself. */
static void
forget_handlers(void)
{
	struct sigaction normal = { .sa_handler = SIG_DFL }, was;

	for (int number = 1; number < NSIG; number++)
		if (sigaction(number, NULL, &was) == 0 &&
		    was.sa_handler != SIG_IGN)
			(void)sigaction(number, &normal, NULL);
	(void)sigaction(SIGPIPE, &normal, NULL);
	(void)sigaction(SIGXFSZ, &normal, NULL);
}

static void
limit_files(uint64_t files)
{
	struct rlimit r;

	if (files == 0 || getrlimit(RLIMIT_NOFILE, &r) != 0 ||
	    r.rlim_cur <= files)
		return;
	r.rlim_cur = (rlim_t)files;
	(void)setrlimit(RLIMIT_NOFILE, &r);
}

struct child_settings {
	const sigset_t *mask;
	uint64_t files;
	int hear, go;
};

static void
become_command(char *const argv[], const struct child_settings *child_settings)
{
	forget_handlers();
	if (!become_user())
		child_send_report(child_settings->hear, errno, true);
	wait_for_start(child_settings->go);
	limit_files(child_settings->files);
	(void)sigprocmask(SIG_SETMASK, child_settings->mask, NULL);
	child_send_use(child_settings->hear);
	(void)execvp(argv[0], argv);
	child_send_report(child_settings->hear, errno, false);
}

static bool
close_on_exec(int fd)
{
	return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static void
close_both(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

static bool
make_pipes(int hear[2], int go[2])
{
	if (pipe(hear) != 0)
		return false;
	if (pipe(go) != 0) {
		int error = errno;

		close_both(hear);
		errno = error;
		return false;
	}
	if (close_on_exec(hear[0]) && close_on_exec(hear[1]) &&
	    close_on_exec(go[0]) && close_on_exec(go[1]))
		return true;
	int error = errno;

	close_both(hear);
	close_both(go);
	errno = error;
	return false;
}

bool
child_prepare(struct child *c, char *const argv[], const sigset_t *mask,
	      uint64_t files, struct err *e)
{
	int hear[2], go[2];

	*c = (struct child){ .code = CHILD_CANNOT };
	if (!make_pipes(hear, go))
		return err_set(e, ERR_FAIL, "cannot run %s: %s", argv[0],
			       strerror(errno));
	c->pid = fork();
	if (c->pid == 0) {
		close(go[1]);
		become_command(argv, &(struct child_settings){
					     mask, files, hear[1], go[0] });
	}
	int error = errno;

	close(hear[1]);
	close(go[0]);
	c->hear = hear[0];
	c->go = go[1];
	if (c->pid > 0)
		return true;
	c->pid = 0;
	close(c->hear);
	close(c->go);
	return err_set(e, ERR_FAIL, "cannot run %s: %s", argv[0],
		       strerror(error));
}

static bool
fail_child(struct child *c, const char *name, const struct child_report *f,
	   struct err *e)
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
	return err_set(
		e, ERR_FAIL, "cannot run %s: %s%s", name, strerror(f->error),
		f->error == ENOENT && strchr(name, ' ') != NULL
			? "; write the command without quotes, or as sh -c '...'"
			: "");
}

/* False at end of file: exec succeeded, or the process died. */
static bool
read_child_report(int fd, struct child_report *w)
{
	ssize_t n;

	do
		n = read(fd, w, sizeof *w);
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)sizeof *w;
}

bool
child_exec(struct child *c, const char *name, struct err *e)
{
	struct child_report w;
	ssize_t n;

	do
		n = write(c->go, "", 1);
	while (n < 0 && errno == EINTR);
	close(c->go);
	bool said = read_child_report(c->hear, &w);

	if (said && w.error == 0) {
		c->before = w.use;
		said = read_child_report(c->hear, &w);
	}
	close(c->hear);
	return said ? fail_child(c, name, &w, e) : true;
}

void
child_discard(struct child *c)
{
	close(c->go);
	close(c->hear);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->ended = true;
}

static void
child_note_end(struct child *c, int status)
{
	c->ended = true;
	c->code = WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				      : WEXITSTATUS(status);
}

bool
child_ended(struct child *c)
{
	int status;

	if (!c->ended && c->pid > 0 && waitpid(c->pid, &status, WNOHANG) > 0)
		child_note_end(c, status);
	return c->ended;
}

bool
child_is_done(const struct child *c)
{
	siginfo_t info = { .si_pid = 0 };

	return c->ended || c->pid <= 0 ||
	       (waitid(P_PID, (id_t)c->pid, &info,
		       WEXITED | WNOWAIT | WNOHANG) == 0 &&
		info.si_pid == c->pid);
}

void
child_reap(struct child *c, struct rusage *use)
{
	int status;
	pid_t pid;

	do
		pid = wait4(c->pid, &status, 0, use);
	while (pid < 0 && errno == EINTR);
	if (pid == c->pid)
		child_note_end(c, status);
}
