/* A fault of our own must not leave the terminal or the counters behind. */
#ifndef PROCESS_CRASH_H
#define PROCESS_CRASH_H

/*
 * On SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS and SIGTRAP: puts the
 * terminal and the counters back, prints `line` (borrowed until crash_close)
 * and where it happened, and lets the signal end the process. Other signals
 * that end a process do so after the same rescue, in silence. Returns the
 * handler's own stack, for crash_close; NULL when memory is short (it then runs
 * on the stack it finds).
 */
void *crash_open(const char *line);
void crash_close(void *stack);

/*
 * Once the counters are back, but before the line: async-signal-safe, and may
 * wait for another process to leave the terminal.
 */
void crash_before_words(void (*first)(void));

/* For a process whose signals are all blocked: these are not, from now on. */
void crash_unblock(void);

/* For a process that such other signals must not end: it ignores them. */
void crash_ignore_ending(void);

#endif
