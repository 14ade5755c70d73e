/* Restores the terminal and the counters when ktop crashes. */
#ifndef PROCESS_CRASH_H
#define PROCESS_CRASH_H

enum crash_part {
	CRASH_TERMINAL,
	CRASH_COUNTERS,
	CRASH_OTHER_PROCESS, /* the screen side, for the counter server */
	CRASH_PARTS
};

/* Must be async-signal-safe. */
typedef void crash_rescue(void);

/* Set the rescue before the change that it undoes, and NULL afterwards. A crash
 * calls the rescues in enum order. */
void crash_set_rescue(enum crash_part part, crash_rescue *rescue);

crash_rescue *crash_get_rescue(enum crash_part part);

/* On SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS and SIGTRAP: calls the
 * rescues, prints `line` (borrowed until crash_close) and a backtrace, and lets
 * the signal end the process. Other fatal signals only call the rescues.
 * Returns the handler's stack for crash_close; NULL (no memory): the normal
 * stack. */
void *crash_open(const char *line);
void crash_close(void *stack);

/* Ends the process by the default action of the signal, even if the signal is
 * blocked. */
void crash_end_by(int number);

/* Unblocks the signals of faults, such as SIGSEGV. */
void crash_unblock(void);

/* Ignores signals that end a process without a fault, such as SIGALRM. */
void crash_ignore_ending(void);

#endif
