#include "process/signals.h"

#include <stddef.h>
#include <unistd.h>

struct caught {
	int number;
	enum signal_flag flag;
};

static const struct caught caught[] = {
	{ SIGINT, SIGNAL_STOP },
	{ SIGTERM, SIGNAL_STOP },
	{ SIGHUP, SIGNAL_STOP },
	{ SIGQUIT, SIGNAL_STOP },
	{ SIGWINCH, SIGNAL_RESIZE },
	{ SIGTSTP, SIGNAL_PAUSE },
	{ SIGCONT, SIGNAL_GO_ON },
	{ SIGUSR1, SIGNAL_MARK },
	{ SIGCHLD, SIGNAL_CHILD },
	/* Nobody sends these, but they would end ktop with counters held. */
	{ SIGALRM, SIGNAL_STOP },
	{ SIGUSR2, SIGNAL_STOP },
	{ SIGXCPU, SIGNAL_STOP },
	{ SIGVTALRM, SIGNAL_STOP },
	{ SIGPROF, SIGNAL_STOP },
};
enum { CAUGHT = sizeof caught / sizeof *caught };

static volatile sig_atomic_t pending[SIGNAL_FLAGS];

static void catch (int number)
{
	for (unsigned i = 0; i < CAUGHT; i++)
		if (caught[i].number == number)
			pending[caught[i].flag] = number;
}

static bool
is_ignored(int number)
{
	struct sigaction old;

	return sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

void
signals_open(sigset_t *wait)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction note = { .sa_handler = catch };
	sigset_t block;

	(void)sigemptyset(&block);
	(void)sigfillset(&note.sa_mask);
	for (unsigned i = 0; i < CAUGHT; i++)
		(void)sigaddset(&block, caught[i].number);
	(void)sigprocmask(SIG_BLOCK, &block, wait);
	for (unsigned i = 0; i < CAUGHT; i++) {
		(void)sigdelset(wait, caught[i].number);
		if (caught[i].number == SIGHUP && is_ignored(SIGHUP))
			continue;
		(void)sigaction(caught[i].number, &note, NULL);
	}
	(void)sigaction(SIGPIPE, &ignore, NULL);
	(void)sigaction(SIGXFSZ, &ignore, NULL);
}

void
signals_let_in(const sigset_t *wait)
{
	sigset_t mask;

	(void)sigprocmask(SIG_SETMASK, wait, &mask);
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
}

int
signals_take(enum signal_flag flag)
{
	int number = pending[flag];

	if (number != 0)
		pending[flag] = 0;
	return number;
}

int
signals_ending(void)
{
	sigset_t set;

	if (pending[SIGNAL_STOP] != 0)
		return pending[SIGNAL_STOP];
	(void)sigemptyset(&set);
	(void)sigpending(&set);
	for (unsigned i = 0; i < CAUGHT; i++)
		if (caught[i].flag == SIGNAL_STOP &&
		    sigismember(&set, caught[i].number) == 1)
			return caught[i].number;
	return 0;
}

bool
signals_behind(void)
{
	pid_t front = tcgetpgrp(STDIN_FILENO);

	if (front < 0)
		front = tcgetpgrp(STDOUT_FILENO);
	/* Whoever lets SIGTTOU be ignored wants no stop. */
	return front > 0 && front != getpgrp() && !is_ignored(SIGTTOU);
}

bool
signals_halt(pid_t to, int number)
{
	struct sigaction normal = { .sa_handler = SIG_DFL }, was;
	struct sigaction note = { .sa_handler = catch }, was_on;
	sigset_t both, mask;

	(void)sigfillset(&note.sa_mask);
	(void)sigemptyset(&both);
	(void)sigaddset(&both, number);
	(void)sigaddset(&both, SIGCONT);
	(void)sigaction(SIGCONT, &note, &was_on);
	(void)sigaction(number, &normal, &was);
	pending[SIGNAL_GO_ON] = 0;
	/* A SIGCONT of before is lost to it: POSIX, 2.4.1. */
	(void)kill(to, number);
	(void)sigprocmask(SIG_UNBLOCK, &both, &mask);
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	(void)sigaction(number, &was, NULL);
	(void)sigaction(SIGCONT, &was_on, NULL);
	return signals_take(SIGNAL_GO_ON) != 0;
}
