/* A fault of our own must not leave the terminal or the counters behind. */
#ifndef PROCESS_CRASH_H
#define PROCESS_CRASH_H

enum crash_part {
	CRASH_TERMINAL,
	CRASH_COUNTERS,
	CRASH_OTHER_PROCESS, /* of the two that ktop under sudo is */
	CRASH_PARTS
};

/*
 * Async-signal-safe last resort: puts right what this process has changed, as
 * far as plain system calls can. That of the other process may wait for it to
 * leave the terminal.
 */
typedef void crash_rescue(void);

/*
 * Whoever changes such a part says how to put it back, before the change, and
 * NULL when it is back. A crash calls them in the order of the enum.
 */
void crash_set_rescue(enum crash_part part, crash_rescue *rescue);

/* What is set; NULL: nothing to do. */
crash_rescue *crash_get_rescue(enum crash_part part);

/*
 * On SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS and SIGTRAP: calls
 * what crash_set_rescue was told, prints `line` (borrowed until crash_close)
 * and where it happened, and lets the signal end the process. Other signals
 * that end a process do so after the same rescue, in silence. Returns the
 * handler's own stack, for crash_close; NULL when memory is short (it then runs
 * on the stack it finds).
 */
void *crash_open(const char *line);
void crash_close(void *stack);

/* The signal ends this process, as if nobody had caught or blocked it. */
void crash_end_by(int number);

/* For a process whose signals are all blocked: these are not, from now on. */
void crash_unblock(void);

/* For a process that such other signals must not end: it ignores them. */
void crash_ignore_ending(void);

#endif
