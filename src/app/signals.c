#include "app/signals.h"

#include <stddef.h>

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

int
signals_take(enum signal_flag flag)
{
	int number = pending[flag];

	if (number != 0)
		pending[flag] = 0;
	return number;
}
