#include "process/crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __has_include
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#define HAS_TRACE 1
#endif
#endif
#ifndef HAS_TRACE
#define HAS_TRACE 0
#endif

enum { STACK_SIZE = 64 * 1024, FRAMES_MAX = 24, RESCUE_TIMEOUT_S = 5 };

static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL,
			     SIGABRT, SIGSYS, SIGTRAP };
/* Signals that report no fault; their default action ends the process. */
static const int ending[] = {
	SIGALRM,   SIGVTALRM, SIGPROF, SIGUSR2, SIGXCPU,
#ifdef SIGPOLL
	SIGPOLL,
#endif
#ifdef SIGPWR
	SIGPWR,
#endif
#ifdef SIGSTKFLT
	SIGSTKFLT,
#endif
#ifdef SIGEMT
	SIGEMT,
#endif
};
enum {
	FATAL = sizeof fatal / sizeof *fatal,
	ENDING = sizeof ending / sizeof *ending
};

static const char *volatile crash_line;
static crash_rescue *volatile rescues[CRASH_PARTS];
static volatile sig_atomic_t crash_number;

/* Functions that handle_crash calls must be async-signal-safe. */
static void
print_trace(void)
{
#if HAS_TRACE
	void *frame[FRAMES_MAX];
	int n = backtrace(frame, FRAMES_MAX);

	backtrace_symbols_fd(frame, n, STDERR_FILENO);
#endif
}

static bool
is_fatal(int number)
{
	for (unsigned i = 0; i < FATAL; i++)
		if (fatal[i] == number)
			return true;
	return false;
}

static void
crash_unblock_signal(int number)
{
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, number);
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

void
crash_end_by(int number)
{
	(void)signal(number, SIG_DFL);
	crash_unblock_signal(number);
	(void)raise(number);
}

static void
end_after_timeout(int alarm_number)
{
	(void)alarm_number;
	crash_end_by((int)crash_number);
}

static void
crash_set_timeout(unsigned seconds)
{
	(void)signal(SIGALRM, end_after_timeout);
	crash_unblock_signal(SIGALRM);
	(void)alarm(seconds);
}

static void
handle_crash(int number)
{
	const char *line = crash_line;

	crash_number = number;
	crash_set_timeout(RESCUE_TIMEOUT_S);
	for (unsigned i = 0; i < CRASH_PARTS; i++) {
		crash_rescue *rescue = rescues[i];

		if (rescue != NULL)
			rescue();
	}
	if (line != NULL && is_fatal(number)) {
		(void)!write(STDERR_FILENO, line, strlen(line));
		print_trace();
	}
	crash_end_by(number);
}

static void
set_if_default(int number, const struct sigaction *act)
{
	struct sigaction old;

	if (sigaction(number, NULL, &old) == 0 &&
	    (old.sa_handler == SIG_DFL || old.sa_handler == handle_crash))
		(void)sigaction(number, act, NULL);
}

static void
install_action(int number, const struct sigaction *act)
{
	(void)sigaction(number, act, NULL);
}

static void
set_each_ending(void (*set)(int, const struct sigaction *),
		const struct sigaction *act)
{
	for (unsigned i = 0; i < ENDING; i++)
		set(ending[i], act);
#ifdef SIGRTMIN
	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		set(number, act);
#endif
}

static void
crash_catch_signals(void (*handler)(int), int flags)
{
	struct sigaction act = { .sa_handler = handler };

	(void)sigemptyset(&act.sa_mask);
	act.sa_flags = flags;
	for (unsigned i = 0; i < FATAL; i++)
		install_action(fatal[i], &act);
	set_each_ending(set_if_default, &act);
}

void *
crash_open(const char *line)
{
	stack_t s = { .ss_sp = malloc(STACK_SIZE), .ss_size = STACK_SIZE };
	int flags = (int)(SA_RESETHAND | SA_NODEFER);

	if (s.ss_sp != NULL && sigaltstack(&s, NULL) == 0)
		flags |= SA_ONSTACK;
#if HAS_TRACE
	/* The first call of backtrace() loads a library, which is not possible
	 * in a handler. */
	void *frame[1];

	(void)backtrace(frame, 1);
#endif
	crash_line = line;
	crash_catch_signals(handle_crash, flags);
	return s.ss_sp;
}

void
crash_close(void *stack)
{
	stack_t none = { .ss_flags = SS_DISABLE, .ss_size = STACK_SIZE };

	if (crash_line == NULL)
		return;
	crash_catch_signals(SIG_DFL, 0);
	crash_line = NULL;
	rescues[CRASH_OTHER_PROCESS] = NULL;
	if (stack != NULL)
		(void)sigaltstack(&none, NULL);
	free(stack);
}

void
crash_unblock(void)
{
	for (unsigned i = 0; i < FATAL; i++)
		crash_unblock_signal(fatal[i]);
}

void
crash_ignore_ending(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	(void)sigemptyset(&ignore.sa_mask);
	set_each_ending(install_action, &ignore);
}

void
crash_set_rescue(enum crash_part part, crash_rescue *rescue)
{
	rescues[part] = rescue;
}

crash_rescue *
crash_get_rescue(enum crash_part part)
{
	return rescues[part];
}
