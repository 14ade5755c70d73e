#include "app/job.h"

#include <signal.h>
#include <unistd.h>

#include "app/state.h"
#include "process/signals.h"

/* A counter server that stopped with us may not have been told to go on. */
static void
wake_server(const struct app *a)
{
	if (a->o->source.server != 0)
		(void)kill(getppid(), SIGCONT);
}

bool
job_await_front(const struct app *a, struct err *e)
{
	bool waited = false;

	while (a->screen.wanted && signals_behind()) {
		waited = true;
		if (!signals_halt(0, SIGTTOU) && signals_behind())
			return err_set(
				e, ERR_USAGE,
				"the terminal belongs to another job, and no shell could bring ktop to the front; use -b for text");
	}
	if (waited)
		wake_server(a);
	return true;
}

bool
job_is_behind(const struct app *a)
{
	pid_t front = a->screen.ui != NULL ? tcgetpgrp(STDIN_FILENO) : -1;

	return front > 0 && front != getpgrp();
}

/*
 * What ends ktop meanwhile ends it where it is: the terminal is given back,
 * and may be another job's.
 */
static int
ended_meanwhile(struct app *a)
{
	int number = signals_ending();

	if (number != 0)
		screen_close(a);
	return number;
}

/*
 * With a screen no terminal stops the rest of the job (a script, timeout) for
 * us. From behind, to set the terminal's modes would stop us halfway.
 */
int
job_stop(struct app *a)
{
	bool screen = a->screen.ui != NULL;
	int number = 0;

	if (screen)
		ui_suspend(a->screen.ui);
	bool stopped = signals_halt(screen ? 0 : getpid(), SIGTSTP);

	/* `bg` lets it go on with the terminal the shell's. */
	while (screen && stopped && (number = ended_meanwhile(a)) == 0 &&
	       signals_behind() && signals_halt(0, SIGTTOU))
		;
	if (stopped)
		wake_server(a);
	if (a->screen.ui != NULL)
		ui_resume(a->screen.ui);
	if (!stopped)
		news_add(&a->news, "no shell to return to; %s",
			 screen ? "q quits" : "ktop goes on");
	return number;
}
