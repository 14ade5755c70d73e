/* Restores the terminal and the counters when ktop crashes. */
#ifndef PROCESS_CRASH_H
#define PROCESS_CRASH_H

enum crash_part {
	CRASH_TERMINAL,
	CRASH_COUNTERS,
	CRASH_OTHER_PROCESS, /* the other of the two processes under sudo */
	CRASH_PARTS
};

/* Async-signal-safe: undoes this process's changes by system calls.
 * CRASH_OTHER_PROCESS may wait for the other process to leave the terminal.
 */
typedef void crash_rescue(void);

/* Set before the change, NULL after it is undone. Called in enum order. */
void crash_set_rescue(enum crash_part part, crash_rescue *rescue);

/* NULL: nothing to restore. */
crash_rescue *crash_get_rescue(enum crash_part part);

/* On SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS and SIGTRAP: calls the
 * rescues, prints `line` (borrowed until crash_close) and a backtrace, and lets
 * the signal end the process; other fatal signals do the same silently. Returns
 * the handler's stack for crash_close, or NULL (no memory: the current stack is
 * used). */
void *crash_open(const char *line);
void crash_close(void *stack);

/* Ends the process by the signal's default action, even if blocked. */
void crash_end_by(int number);

/* Unblocks these signals in a process that blocks all. */
void crash_unblock(void);

/* Ignores the fatal signals that are no fault of this process. */
void crash_ignore_ending(void);

#endif
