#include "server/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/utf8.h"
#include "options/argv.h"
#include "process/caller.h"
#include "process/crash.h"
#include "process/descriptors.h"
#include "process/rights.h"
#include "process/signals.h"
#include "process/terminal.h"
#include "server/server.h"

enum { FIRST_FREE = 3 };

bool
privilege_drop(const struct privilege_caller *who, struct err *e)
{
	if (geteuid() != who->uid)
		rights_drop_bounding(-1);
	if ((geteuid() == who->uid || caller_become(who->uid, who->gid)) &&
	    rights_drop_all(e) && caller_is_permanent(who->uid, who->gid))
		return true;
	return err_set(
		e, ERR_PERM,
		"cannot become the user who called sudo (user %lu); ktop does not continue as root",
		(unsigned long)who->uid);
}

static const int forwarded[] = { SIGINT,  SIGTERM, SIGHUP, SIGQUIT,
				 SIGTSTP, SIGUSR1, SIGCONT };
/* These signals would end or stop the server while it owns the counters. */
static const int ignored[] = { SIGPIPE, SIGXFSZ, SIGTTOU, SIGTTIN };
enum {
	FORWARDED = sizeof forwarded / sizeof *forwarded,
	IGNORED = sizeof ignored / sizeof *ignored
};

static volatile sig_atomic_t received[FORWARDED + 1];
static volatile sig_atomic_t received_code[FORWARDED];

static volatile sig_atomic_t crash_fd, crash_screen;

enum {
	CRASH_WAIT_TURNS = 40,
	CRASH_WAIT_MS = 50,
	FORWARD_RETRY_NS = 5 * 1000 * 1000
};

struct keeper {
	char line[160];
	int fd;
	pid_t screen;
	const struct privilege_caller *who;
	bool nohup;
	bool ended;
	int status;
	bool stopped;
	bool retry_forward;
	sigset_t pending_at_start; /* signals that were pending before the
				      screen side existed */
	bool dropped, sealed;
	struct server *server;
	struct err restore_error; /* "": the counters are restored */
	struct privilege_terminal terminal;
	sigset_t wait;
};

/* SIGCONT from the screen side is not sent back to it: it would redraw. */
static void
keeper_note_signal(int number, siginfo_t *info, void *context)
{
	(void)context;
	if (number == SIGCONT && info->si_pid == (pid_t)crash_screen)
		return;
	for (unsigned i = 0; i < FORWARDED; i++)
		if (forwarded[i] == number) {
			received[i] = 1;
			received_code[i] = info->si_code;
		}
	if (number == SIGCHLD)
		received[FORWARDED] = 1;
}

static void
keeper_catch_signals(struct keeper *k)
{
	struct sigaction act = { .sa_sigaction = keeper_note_signal,
				 .sa_flags = SA_SIGINFO };
	struct sigaction old;
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	(void)sigpending(&k->pending_at_start);
	(void)sigfillset(&act.sa_mask);
	k->nohup =
		sigaction(SIGHUP, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
	for (unsigned i = 0; i < FORWARDED; i++)
		(void)sigaction(forwarded[i], &act, NULL);
	(void)sigaction(SIGCHLD, &act, NULL);
	for (unsigned i = 0; i < IGNORED; i++)
		(void)sigaction(ignored[i], &ignore, NULL);
	crash_ignore_ending();
	(void)sigemptyset(&k->wait);
	crash_unblock();
}

void
privilege_find_terminal(struct privilege_terminal *t)
{
	for (t->fd = 0; t->fd < FIRST_FREE; t->fd++)
		if (isatty(t->fd) && tcgetattr(t->fd, &t->found) == 0)
			return;
	t->fd = -1;
}

/* Keeps the terminal open, to restore it, but not standard output: its reader
 * must see end of file when the screen side exits. */
static void
keeper_close_descriptors(struct keeper *k)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (k->terminal.fd >= 0)
		k->terminal.fd =
			fcntl(k->terminal.fd, F_DUPFD_CLOEXEC, FIRST_FREE);
	descriptors_close(FIRST_FREE,
			  (const int[]){ k->fd, k->terminal.fd, null }, 3);
	if (null >= 0) {
		(void)dup2(null, STDIN_FILENO);
		(void)dup2(null, STDOUT_FILENO);
		if (null >= FIRST_FREE)
			close(null);
	}
}

static bool
guard_before_open(void *self, bool powers, struct err *e)
{
	struct keeper *k = self;

	/* Without `powers` the source opens files that the user names. */
	if (powers || !k->who->there || k->dropped)
		return true;
	k->dropped = privilege_drop(k->who, e);
	return k->dropped;
}

static void
guard_opened(void *self, const struct source_info *info)
{
	struct keeper *k = self;
	char chip[sizeof info->chip];

	utf8_visible(chip, sizeof chip, info->chip);
	snprintf(
		k->line, sizeof k->line,
		"\nktop " KTOP_VERSION
		" (counter server, %s, %s) crashed; please report these lines\n",
		info->source, chip);
	if (k->sealed)
		return;
	k->sealed = true;
	rights_drop_setpcap();
	if (!privilege_filter_calls())
		fprintf(stderr,
			"ktop: the counter server runs without a system call filter: this kernel or processor has none\n");
}

/* The screen side restores the terminal when the socket closes; then the crash
 * text appears on the normal screen. */
static void
crash_wait_for_screen(void)
{
	(void)shutdown((int)crash_fd, SHUT_RDWR);
	for (int i = 0; i < CRASH_WAIT_TURNS; i++) {
		pid_t pid = waitpid((pid_t)crash_screen, NULL, WNOHANG);

		if (pid > 0 || (pid < 0 && errno != EINTR))
			return;
		(void)poll(NULL, 0, CRASH_WAIT_MS);
	}
}

static bool
keeper_is_foreground(const struct keeper *k)
{
	return k->terminal.fd >= 0 && tcgetpgrp(k->terminal.fd) == getpgrp();
}

static void
keeper_restore_terminal(const struct keeper *k)
{
	/* CAN ends an incomplete escape sequence. The other sequences, the same
	 * on all terminals, reset attributes, mouse, alternate screen and
	 * cursor. */
	static const char normal[] =
		"\030\033[0m\033[?1000l\033[?1002l\033[?1006l\033[?1049l\033[?25h";
	struct termios now;

	/* If ktop is in the background, another job owns the terminal. */
	if (k->terminal.fd < 0 ||
	    (tcgetpgrp(k->terminal.fd) > 0 && !keeper_is_foreground(k)) ||
	    tcgetattr(k->terminal.fd, &now) != 0)
		return;
	if (now.c_lflag == k->terminal.found.c_lflag &&
	    now.c_iflag == k->terminal.found.c_iflag &&
	    now.c_oflag == k->terminal.found.c_oflag)
		return;
	(void)tcsetattr(k->terminal.fd, TCSANOW, &k->terminal.found);
	/* Does not block on a stopped terminal. */
	terminal_force(k->terminal.fd, normal, sizeof normal - 1);
}

/* Releases the counters, as a stopped screen side reads nothing, and stops this
 * process, which is the shell's job, with the same signal (sudo treats SIGTTOU
 * and SIGTSTP differently). A SIGSTOP in the background was meant for the
 * screen side alone, so this process goes on. */
static void
keeper_stop_with_screen(struct keeper *k, int number)
{
	k->stopped = true;
	server_pause(k->server);
	if (number == SIGSTOP && !keeper_is_foreground(k))
		return;
	if (signals_stop_self(getpid(), number == SIGSTOP ? SIGTSTP : number))
		(void)kill(k->screen, SIGCONT);
}

static void
keeper_wait_screen(struct keeper *k, int flags)
{
	int status;
	pid_t pid;

	do {
		pid = waitpid(k->screen, &status,
			      flags | WUNTRACED | WCONTINUED);
		if (pid != k->screen)
			continue;
		if (WIFSTOPPED(status)) {
			keeper_stop_with_screen(k, WSTOPSIG(status));
		} else if (WIFCONTINUED(status)) {
			if (k->stopped)
				server_resume(k->server);
			k->stopped = false;
		} else {
			k->ended = true;
			k->status = status;
		}
	} while (!k->ended && (pid > 0 || (pid < 0 && errno == EINTR)));
	if (pid < 0 && errno == ECHILD)
		k->ended = true;
}

static void
keeper_forward_signals(struct keeper *k)
{
	k->retry_forward = false;
	for (unsigned i = 0; i < FORWARDED; i++) {
		if (!received[i])
			continue;
		if ((forwarded[i] == SIGHUP && k->nohup) ||
		    (sigismember(&k->pending_at_start, forwarded[i]) == 0 &&
		     !signals_sent_to_one(forwarded[i], (int)received_code[i],
					  keeper_is_foreground(k))) ||
		    kill(k->screen, forwarded[i]) == 0 || errno != EPERM)
			received[i] = 0;
		else
			k->retry_forward = true;
	}
	if (received[FORWARDED]) {
		received[FORWARDED] = 0;
		keeper_wait_screen(k, WNOHANG);
	}
}

static bool
keeper_serve(struct keeper *k)
{
	const struct timespec soon = { 0, FORWARD_RETRY_NS };
	bool sending = server_is_sending(k->server);
	fd_set set;

	FD_ZERO(&set);
	FD_SET(k->fd, &set);
	int n = pselect(k->fd + 1, sending ? NULL : &set, sending ? &set : NULL,
			NULL, k->retry_forward ? &soon : NULL, &k->wait);

	/* The calls below change errno. */
	bool again = n == 0 || (n < 0 && errno == EINTR);

	keeper_forward_signals(k);
	if (k->ended)
		return false;
	if (n <= 0)
		return again;
	return server_turn(k->server) == SERVER_ON;
}

static void
keeper_await_exit(struct keeper *k)
{
	const struct timespec soon = { 0, FORWARD_RETRY_NS };

	while (!k->ended) {
		(void)pselect(0, NULL, NULL, NULL,
			      k->retry_forward ? &soon : NULL, &k->wait);
		keeper_forward_signals(k);
	}
}

_Noreturn static void
keeper_exit(const struct keeper *k)
{
	int status = k->status;
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	struct rlimit none = { 0, 0 };

	if (number != 0)
		keeper_restore_terminal(k);
	if (k->restore_error.text[0] != '\0')
		err_print("%s", k->restore_error.text);
	if (number == 0)
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : ERR_FAIL);
	if (number == SIGKILL)
		fprintf(stderr, "ktop: killed; the %sterminal %s restored\n",
			k->restore_error.text[0] == '\0' ? "counters and the "
							 : "",
			k->restore_error.text[0] == '\0' ? "are" : "is");
	(void)setrlimit(RLIMIT_CORE, &none);
	crash_end_by(number);
	exit(128 + number);
}

static bool
keeper_prepare(struct keeper *k, const struct source_guard *guard,
	       struct err *e)
{
	/* A reader of an inherited pipe would not see that the screen side has
	 * exited. */
	keeper_close_descriptors(k);
	keeper_catch_signals(k);
	if (k->who->there && !privilege_keep_counting_only(k->who, false, e))
		return false;
	k->server = server_new(k->fd, guard);
	return k->server != NULL ||
	       err_set(e, ERR_FAIL, "the counter server is out of memory");
}

_Noreturn void
privilege_serve(int fd, pid_t screen, const struct privilege_caller *who,
		const struct privilege_terminal *terminal)
{
	struct keeper k = {
		.fd = fd, .screen = screen, .who = who, .terminal = *terminal
	};
	const struct source_guard guard = { &k, guard_before_open,
					    guard_opened };
	struct err e = { ERR_NONE, "" };
	void *stack;

	snprintf(k.line, sizeof k.line,
		 "\nktop " KTOP_VERSION
		 " (counter server) crashed; please report these lines\n");
	crash_fd = fd;
	crash_screen = (sig_atomic_t)screen;
	stack = crash_open(k.line);
	crash_set_rescue(CRASH_OTHER_PROCESS, crash_wait_for_screen);

	if (keeper_prepare(&k, &guard, &e))
		while (keeper_serve(&k))
			;
	else
		err_print("%s", e.text);
	(void)server_free(k.server, &k.restore_error);
	close(fd);
	keeper_await_exit(&k);
	crash_close(stack);
	keeper_exit(&k);
}

static bool
command_keeps_root(enum command_id command)
{
	return command == COMMAND_DOCTOR;
}

/* Sets SUDO_UID and SUDO_GID from the variables of doas or pkexec. run0 sets
 * sudo's. */
static bool
set_caller_environment(struct err *e)
{
	const char *doas = getenv("DOAS_USER"), *pkexec = getenv("PKEXEC_UID");
	const struct passwd *pw = NULL;
	char uid[24], gid[24];
	uint64_t u;

	if (geteuid() != 0 || getenv("SUDO_UID") != NULL ||
	    getenv("SUDO_GID") != NULL || (doas == NULL && pkexec == NULL))
		return true;
	if (pkexec == NULL)
		pw = getpwnam(doas);
	else if (parse_u64(pkexec, UINT32_MAX - 1, &u))
		pw = getpwuid((uid_t)u);
	if (pw == NULL)
		return err_set(
			e, ERR_PERM,
			"%s=%s does not name the user who called %s, so ktop does not continue as root; unset it if root called ktop",
			pkexec != NULL ? "PKEXEC_UID" : "DOAS_USER",
			pkexec != NULL ? pkexec : doas,
			pkexec != NULL ? "pkexec" : "doas");
	snprintf(uid, sizeof uid, "%lu", (unsigned long)pw->pw_uid);
	snprintf(gid, sizeof gid, "%lu", (unsigned long)pw->pw_gid);
	return (setenv("SUDO_UID", uid, 1) == 0 &&
		setenv("SUDO_GID", gid, 1) == 0) ||
	       err_set(e, ERR_FAIL, "out of memory");
}

/* Refuses an unknown caller, so that ktop never runs as root for one. */
static bool
find_sudo_caller(struct privilege_caller *who, struct err *e)
{
	const char *uid = getenv("SUDO_UID"), *gid = getenv("SUDO_GID");
	uid_t u;
	gid_t g;

	*who = (struct privilege_caller){ .there = false };
	if (geteuid() != 0 || (uid == NULL && gid == NULL))
		return true;
	if (!caller_named(&u, &g))
		return err_set(
			e, ERR_PERM,
			"SUDO_UID=%s and SUDO_GID=%s do not name the user who called sudo, so ktop does not continue as root; unset both if root called ktop",
			uid != NULL ? uid : "", gid != NULL ? gid : "");
	if (u != 0)
		*who = (struct privilege_caller){ true, u, g };
	return true;
}

/* The standard descriptors may be closed, so the sockets get higher numbers. */
static bool
make_socket_pair(int pair[2])
{
	int raw[2], ok;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, raw) != 0)
		return false;
	for (int i = 0; i < 2; i++)
		pair[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, FIRST_FREE);
	ok = pair[0] >= 0 && pair[1] >= 0;
	close(raw[0]);
	close(raw[1]);
	for (int i = 0; i < 2 && !ok; i++)
		if (pair[i] >= 0)
			close(pair[i]);
	return ok;
}

/* sudo may set HOME to root's, which the caller cannot enter. */
static void
replace_roots_home(const struct privilege_caller *who)
{
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");

	if (xdg != NULL && access(xdg, X_OK) != 0)
		(void)unsetenv("XDG_CONFIG_HOME");
	if (home == NULL || access(home, X_OK) == 0)
		return;
	const struct passwd *pw = getpwuid(who->uid);

	if (pw != NULL)
		(void)setenv("HOME", pw->pw_dir, 1);
	else
		(void)unsetenv("HOME");
}

/* For a command that keeps root: it opens the user's files as the user, who
 * cannot enter root's home. */
static void
unset_roots_home(void)
{
	const char *home = getenv("HOME");
	struct stat st;

	if (home != NULL && stat(home, &st) == 0 && st.st_uid == 0 &&
	    (st.st_mode & S_IXOTH) == 0)
		(void)unsetenv("HOME");
}

static bool
become_caller(struct privilege *p, struct err *e)
{
	if (!p->caller.there)
		return true;
	if (!privilege_drop(&p->caller, e))
		return false;
	replace_roots_home(&p->caller);
	return true;
}

static bool
fork_server(struct privilege *p, struct err *e)
{
	struct privilege_terminal terminal;
	sigset_t all, old;
	int pair[2];

	privilege_find_terminal(&terminal);
	if (!make_socket_pair(pair))
		return err_set(
			e, ERR_FAIL,
			"cannot create a socket for the counter server: %s",
			strerror(errno));
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &old);
	pid_t screen = fork();

	if (screen > 0) {
		close(pair[1]);
		privilege_serve(pair[0], screen, &p->caller, &terminal);
	}
	int why = errno;

	(void)sigprocmask(SIG_SETMASK, &old, NULL);
	close(pair[0]);
	if (screen == 0) {
		p->server = pair[1];
		return become_caller(p, e);
	}
	close(pair[1]);
	return err_set(
		e, ERR_FAIL,
		"cannot start the counter server: %s; try again when the system is less busy",
		strerror(why));
}

bool
privilege_begin(struct privilege *p, int argc, char **argv, struct err *e)
{
	const char *asked = getenv("KTOP_SEPARATE");

	*p = (struct privilege){ .server = 0 };
	if (!set_caller_environment(e) || !find_sudo_caller(&p->caller, e))
		return false;
	/* With a caller, separation cannot be switched off: a right to run ktop
	 * by sudo must not include a root shell. */
	p->asked = asked != NULL && strcmp(asked, "always") == 0;
	p->whole = command_keeps_root(argv_command(argc, argv));
	/* glibc loads code from the folder that it names. */
	if (p->caller.there)
		(void)unsetenv("GCONV_PATH");
	if (p->whole && p->caller.there)
		unset_roots_home();
	if (p->whole || (!p->caller.there && !p->asked))
		return true;
	return fork_server(p, e);
}

bool
privilege_apply_options(struct privilege *p, struct options *o, struct err *e)
{
	bool whole = command_keeps_root(o->cmd.id);

	/* Files, simulations and libraries of the user do not need root. */
	if (whole && p->caller.there)
		return source_needs_root(&o->source, o->source_name)
			       ? privilege_keep_counting_only(&p->caller, true,
							      e)
			       : become_caller(p, e);
	/* The config file made the command's word a recording to replay. */
	if (p->whole && !whole && (p->caller.there || p->asked) &&
	    !fork_server(p, e))
		return false;
	o->source.server = p->server;
	return true;
}
