#include "app/crash.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "source/source.h"
#include "ui/ui.h"

enum { STACK_SIZE = 64 * 1024 };

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
enum { FATAL = sizeof fatal / sizeof *fatal };

/* The handler has no other way to what it must say. */
static const char *volatile crash_line;

/* Only async-signal-safe calls from here on. */
static void
crash(int number)
{
	void (*rescue)(void) = source_rescue;
	const char *line = crash_line;

	ui_rescue();
	if (rescue != NULL)
		rescue();
	if (line != NULL)
		(void)!write(STDERR_FILENO, line, strlen(line));
	/* SA_RESETHAND has put the default back; it ends the process. */
	(void)raise(number);
}

static void
catch_all(void (*handler)(int), int flags)
{
	struct sigaction act = { .sa_handler = handler };

	(void)sigemptyset(&act.sa_mask);
	act.sa_flags = flags;
	for (unsigned i = 0; i < FATAL; i++)
		(void)sigaction(fatal[i], &act, NULL);
}

void *
crash_open(const char *line)
{
	/* An overflow of the other stack can be told as well. */
	stack_t s = { .ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE };
	int flags = (int)(SA_RESETHAND | SA_NODEFER);

	if (s.ss_sp != NULL && sigaltstack(&s, NULL) == 0)
		flags |= SA_ONSTACK;
	crash_line = line;
	catch_all(crash, flags);
	return s.ss_sp;
}

void
crash_close(void *stack)
{
	stack_t none = { .ss_flags = SS_DISABLE, .ss_size = STACK_SIZE };

	if (crash_line == NULL)
		return;
	catch_all(SIG_DFL, 0);
	crash_line = NULL;
	if (stack != NULL)
		(void)sigaltstack(&none, NULL);
	free(stack);
}
