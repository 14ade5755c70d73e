/* posix_openpt() and its family are XSI; without this glibc hides them. */
#undef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum news { NEWS_PID, NEWS_STOPPED, NEWS_GONE, NEWS_FAILED };

struct message {
	int news;
	int value;
};

static volatile sig_atomic_t leader_hup;

static void
on_signal(int sig)
{
	if (sig == SIGHUP)
		leader_hup = 1;
}

static void
catch_signal(int sig, void (*handler)(int))
{
	struct sigaction sa;

	memset(&sa, 0, sizeof(sa));
	sa.sa_handler = handler;
	sigemptyset(&sa.sa_mask);
	sigaction(sig, &sa, NULL);
}

static void
tell(int ctl, enum news news, int value)
{
	struct message m = { (int)news, value };

	/* Whoever does not read is gone, and the leader will see that too. */
	if (send(ctl, &m, sizeof(m), 0) < 0)
		_exit(1);
}

static void
cloexec(int fd)
{
	fcntl(fd, F_SETFD, FD_CLOEXEC);
}

/* In the program's process: never returns. */
static void
become(char **argv, int tty, int report, bool nohup)
{
	sigset_t none;

	setpgid(0, 0);
	tcsetpgrp(tty, getpid()); /* SIGTTOU is still ignored */
	for (int sig = 1; sig < 32; sig++)
		catch_signal(sig, SIG_DFL);
	if (nohup)
		catch_signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(tty, 0);
	dup2(tty, 1);
	dup2(tty, 2);
	if (tty > 2)
		close(tty);
	execvp(argv[0], argv);
	int error = errno;
	if (write(report, &error, sizeof(error)) < 0)
		_exit(126);
	_exit(127);
}

static pid_t
leader_spawn(char **argv, int tty, int ctl, bool nohup)
{
	int report[2], error;

	if (pipe(report) < 0) {
		tell(ctl, NEWS_FAILED, errno);
		_exit(1);
	}
	cloexec(report[0]);
	cloexec(report[1]);
	pid_t pid = fork();
	if (pid < 0) {
		tell(ctl, NEWS_FAILED, errno);
		_exit(1);
	}
	if (pid == 0)
		become(argv, tty, report[1], nohup);
	setpgid(pid, pid);
	close(report[1]);
	if (read(report[0], &error, sizeof(error)) == sizeof(error)) {
		tell(ctl, NEWS_FAILED, error);
		_exit(1);
	}
	close(report[0]);
	tell(ctl, NEWS_PID, (int)pid);
	return pid;
}

/* Tells every change of the program; true when it is gone. */
static bool
leader_reap(pid_t pid, int *tty, int ctl)
{
	int status;

	while (waitpid(pid, &status, WNOHANG | WUNTRACED) == pid) {
		if (WIFSTOPPED(status)) {
			/* A shell prompts now: the terminal is its own. */
			tcsetpgrp(*tty, getpgrp());
			tell(ctl, NEWS_STOPPED, WSTOPSIG(status));
			continue;
		}
		close(*tty); /* so that the reader sees the end */
		*tty = -1;
		tell(ctl, NEWS_GONE,
		     WIFEXITED(status) ? WEXITSTATUS(status)
				       : 128 + WTERMSIG(status));
		return true;
	}
	return false;
}

/* One order from ctl; false when nobody is there any more. */
static bool
leader_obey(pid_t pid, int tty, int ctl)
{
	char order;

	if (recv(ctl, &order, 1, 0) != 1)
		return false;
	if (tty >= 0)
		tcsetpgrp(tty, pid);
	kill(-pid, SIGCONT);
	return true;
}

static void
leader_run(pid_t pid, int tty, int ctl, const sigset_t *mask, bool nohup)
{
	bool gone = false;

	for (;;) {
		fd_set fds;

		FD_ZERO(&fds);
		FD_SET(ctl, &fds);
		int n = pselect(ctl + 1, &fds, NULL, NULL, NULL, mask);
		if (leader_hup && !gone && !nohup) {
			kill(-pid, SIGHUP);
			kill(-pid, SIGCONT);
		}
		leader_hup = 0;
		gone = gone || leader_reap(pid, &tty, ctl);
		if (n > 0 && !leader_obey(pid, tty, ctl))
			break;
	}
	if (!gone)
		kill(-pid, SIGKILL);
	_exit(0);
}

/* In the leader's process: never returns. */
static void
leader(char **argv, const char *tty_name, int ctl, bool nohup)
{
	sigset_t block, mask;

	setsid();
	int tty = open(tty_name, O_RDWR);
	if (tty < 0) {
		tell(ctl, NEWS_FAILED, errno);
		_exit(1);
	}
	cloexec(tty);
	ioctl(tty, TIOCSCTTY, 0);
	catch_signal(SIGTTOU, SIG_IGN);
	catch_signal(SIGTTIN, SIG_IGN);
	catch_signal(SIGTSTP, SIG_IGN);
	catch_signal(SIGINT, SIG_IGN);
	catch_signal(SIGQUIT, SIG_IGN);
	catch_signal(SIGPIPE, SIG_IGN);
	catch_signal(SIGHUP, on_signal);
	catch_signal(SIGCHLD, on_signal);
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	sigaddset(&block, SIGHUP);
	sigprocmask(SIG_BLOCK, &block, &mask);
	sigdelset(&mask, SIGCHLD);
	sigdelset(&mask, SIGHUP);
	pid_t pid = leader_spawn(argv, tty, ctl, nohup);
	leader_run(pid, tty, ctl, &mask, nohup);
}

static bool
take(struct child *c, struct message *m)
{
	ssize_t n;

	do {
		n = recv(c->ctl, m, sizeof(*m), MSG_WAITALL);
	} while (n < 0 && errno == EINTR);
	return n == sizeof(*m);
}

static bool
open_master(struct child *c, char *name, size_t size)
{
	c->master = posix_openpt(O_RDWR | O_NOCTTY);
	if (c->master < 0 || grantpt(c->master) < 0 || unlockpt(c->master) < 0)
		return false;
	const char *found = ptsname(c->master);
	if (found == NULL)
		return false;
	snprintf(name, size, "%s", found);
	cloexec(c->master);
	fcntl(c->master, F_SETFL, O_NONBLOCK);
	return true;
}

/* Told by the leader: the program runs, or why it does not. */
static bool
await_start(struct child *c, const char *name, char *why, size_t size)
{
	struct message m;

	if (!take(c, &m)) {
		snprintf(why, size, "%s: the session's leader died", name);
		return false;
	}
	if (m.news == NEWS_FAILED) {
		snprintf(why, size, "cannot run %s: %s", name,
			 strerror(m.value));
		return false;
	}
	c->pid = (pid_t)m.value;
	return true;
}

bool
child_start(struct child *c, char **argv, int cols, int rows, bool nohup,
	    char *why, size_t size)
{
	int pair[2];

	memset(c, 0, sizeof(*c));
	c->ctl = -1;
	if (!open_master(c, c->tty, sizeof(c->tty)) ||
	    socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) {
		snprintf(why, size, "no terminal: %s", strerror(errno));
		return false;
	}
	cloexec(pair[0]);
	cloexec(pair[1]);
	c->ctl = pair[0];
	child_resize(c, cols, rows);
	tcgetattr(c->master, &c->found);
	c->leader = fork();
	if (c->leader == 0) {
		close(c->master);
		close(pair[0]);
		leader(argv, c->tty, pair[1], nohup);
	}
	close(pair[1]);
	if (c->leader < 0) {
		snprintf(why, size, "fork: %s", strerror(errno));
		return false;
	}
	return await_start(c, argv[0], why, size);
}

/* Waits for a processor, or has it; false where there is no /proc. */
static bool
is_running(pid_t pid)
{
	char path[64], line[512];
	bool running = false;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	FILE *fp = fopen(path, "r");
	if (fp == NULL)
		return false;
	if (fgets(line, sizeof(line), fp) != NULL) {
		const char *end = strrchr(line, ')');

		running = end != NULL && (end[2] == 'R' || end[2] == 'D');
	}
	fclose(fp);
	return running;
}

/* Of a program that reads keys one by one; others may never look at them. */
static bool
has_keys_to_read(const struct child *c)
{
	int waiting = 0, tty = open(c->tty, O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios now;

	if (tty < 0)
		return false;
	if (tcgetattr(tty, &now) < 0 || (now.c_lflag & ICANON) != 0 ||
	    ioctl(tty, FIONREAD, &waiting) < 0)
		waiting = 0;
	close(tty);
	return waiting > 0;
}

bool
child_is_busy(const struct child *c)
{
	char path[64];
	long pid;
	bool busy;

	if (c->gone || c->stopped || c->master < 0)
		return false;
	busy = is_running(c->pid) || has_keys_to_read(c);
	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children",
		 (long)c->pid, (long)c->pid);
	FILE *fp = fopen(path, "r");
	if (fp == NULL)
		return busy;
	while (!busy && fscanf(fp, "%ld", &pid) == 1)
		busy = is_running((pid_t)pid);
	fclose(fp);
	return busy;
}

void
child_news(struct child *c)
{
	struct message m;

	if (!take(c, &m)) {
		c->gone = true;
		c->status = 99;
	} else if (m.news == NEWS_STOPPED) {
		c->stopped = true;
	} else if (m.news == NEWS_GONE) {
		c->gone = true;
		c->status = m.value;
	}
}

void
child_fg(struct child *c)
{
	c->stopped = false;
	if (send(c->ctl, "f", 1, 0) < 0)
		c->gone = true;
}

bool
child_resize(struct child *c, int cols, int rows)
{
	struct winsize ws;

	memset(&ws, 0, sizeof(ws));
	ws.ws_col = (unsigned short)cols;
	ws.ws_row = (unsigned short)rows;
	return ioctl(c->master, TIOCSWINSZ, &ws) == 0;
}

void
child_hang_up(struct child *c)
{
	if (c->master >= 0)
		close(c->master);
	c->master = -1;
}

static const struct {
	const char *name;
	char where; /* i, o, l: input, output, local flags */
	tcflag_t flag;
} modes[] = {
	{ "echo", 'l', ECHO },   { "icanon", 'l', ICANON },
	{ "isig", 'l', ISIG },   { "iexten", 'l', IEXTEN },
	{ "icrnl", 'i', ICRNL }, { "ixon", 'i', IXON },
	{ "opost", 'o', OPOST }, { "onlcr", 'o', ONLCR },
};

static tcflag_t
flags_of(const struct termios *t, char where)
{
	return where == 'i'   ? t->c_iflag
	       : where == 'o' ? t->c_oflag
			      : t->c_lflag;
}

void
child_tty(const struct child *c, char *to, size_t size)
{
	struct termios now;
	size_t n = 0;

	snprintf(to, size, "same");
	if (c->master < 0 || tcgetattr(c->master, &now) < 0) {
		snprintf(to, size, "closed");
		return;
	}
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		tcflag_t is = flags_of(&now, modes[i].where) & modes[i].flag;
		tcflag_t was =
			flags_of(&c->found, modes[i].where) & modes[i].flag;

		if (is != was && n + 10 < size)
			n += (size_t)snprintf(to + n, size - n, "%s%c%s",
					      n ? "," : "", is ? '+' : '-',
					      modes[i].name);
	}
	if (n == 0 && (now.c_iflag != c->found.c_iflag ||
		       now.c_oflag != c->found.c_oflag ||
		       now.c_lflag != c->found.c_lflag))
		snprintf(to, size, "other");
}

void
child_end(struct child *c)
{
	if (c->ctl >= 0)
		close(c->ctl); /* the leader kills the program and leaves */
	c->ctl = -1;
	child_hang_up(c);
	if (c->leader > 0)
		waitpid(c->leader, NULL, 0);
	c->leader = 0;
}
