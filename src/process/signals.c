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
	{ SIGCONT, SIGNAL_CONTINUE },
	{ SIGUSR1, SIGNAL_MARK },
	{ SIGCHLD, SIGNAL_CHILD },
	/* Their default action would end ktop with the counters in use. */
	{ SIGALRM, SIGNAL_STOP },
	{ SIGUSR2, SIGNAL_STOP },
	{ SIGXCPU, SIGNAL_STOP },
	{ SIGVTALRM, SIGNAL_STOP },
	{ SIGPROF, SIGNAL_STOP },
};
enum { CAUGHT = sizeof caught / sizeof *caught };

static volatile sig_atomic_t pending[SIGNAL_FLAGS];
static volatile sig_atomic_t stop_code;

static void catch (int number, siginfo_t *info, void *context)
{
	(void)context;
	for (unsigned i = 0; i < CAUGHT; i++) {
		if (caught[i].number != number)
			continue;
		pending[caught[i].flag] = number;
		if (caught[i].flag == SIGNAL_STOP)
			stop_code = info->si_code;
	}
}

static bool
signal_is_ignored(int number)
{
	struct sigaction old;

	return sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN;
}

void
signals_open(sigset_t *wait)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction note = { .sa_sigaction = catch,
				  .sa_flags = SA_SIGINFO };
	sigset_t block;

	(void)sigemptyset(&block);
	(void)sigfillset(&note.sa_mask);
	for (unsigned i = 0; i < CAUGHT; i++)
		(void)sigaddset(&block, caught[i].number);
	(void)sigprocmask(SIG_BLOCK, &block, wait);
	for (unsigned i = 0; i < CAUGHT; i++) {
		(void)sigdelset(wait, caught[i].number);
		if (caught[i].number == SIGHUP && signal_is_ignored(SIGHUP))
			continue;
		(void)sigaction(caught[i].number, &note, NULL);
	}
	(void)sigaction(SIGPIPE, &ignore, NULL);
	(void)sigaction(SIGXFSZ, &ignore, NULL);
}

void
signals_deliver(const sigset_t *wait)
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

/* Negative: no terminal. */
static pid_t
foreground_group(void)
{
	pid_t front = -1;

	for (int fd = STDIN_FILENO; front < 0 && fd <= STDERR_FILENO; fd++)
		front = tcgetpgrp(fd);
	return front;
}

bool
signals_in_background(void)
{
	pid_t front = foreground_group();

	/* A user who ignores SIGTTOU wants no stop. */
	return front > 0 && front != getpgrp() && !signal_is_ignored(SIGTTOU);
}

bool
signals_sent_to_one(int number, int code, bool in_front)
{
	if ((number != SIGINT && number != SIGQUIT) || code == SI_USER)
		return true;
	/* For a signal of the terminal, si_code is positive on Linux
	 * (SI_KERNEL) and 0 on macOS. */
	return code < 0 || (code == 0 && !in_front);
}

void
signals_forward(int number, pid_t child)
{
	if (signals_sent_to_one(number, stop_code,
				foreground_group() == getpgrp()))
		(void)kill(child, number);
}

bool
signals_stop_self(pid_t to, int number)
{
	struct sigaction normal = { .sa_handler = SIG_DFL }, was;
	struct sigaction note = { .sa_sigaction = catch,
				  .sa_flags = SA_SIGINFO },
			 was_on;
	sigset_t both, mask;

	(void)sigfillset(&note.sa_mask);
	(void)sigemptyset(&both);
	(void)sigaddset(&both, number);
	(void)sigaddset(&both, SIGCONT);
	(void)sigaction(SIGCONT, &note, &was_on);
	(void)sigaction(number, &normal, &was);
	pending[SIGNAL_CONTINUE] = 0;
	/* A stop signal discards a pending SIGCONT (POSIX 2.4.1). */
	(void)kill(to, number);
	(void)sigprocmask(SIG_UNBLOCK, &both, &mask);
	(void)sigprocmask(SIG_SETMASK, &mask, NULL);
	(void)sigaction(number, &was, NULL);
	(void)sigaction(SIGCONT, &was_on, NULL);
	return signals_take(SIGNAL_CONTINUE) != 0;
}
