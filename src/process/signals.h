/* Signals as flags, blocked except in pselect() and signals_deliver(). */
#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum signal_flag {
	SIGNAL_STOP,
	SIGNAL_RESIZE,
	SIGNAL_PAUSE,
	SIGNAL_CONTINUE,
	SIGNAL_MARK,
	SIGNAL_CHILD,
	SIGNAL_FLAGS
};

/* Blocks and catches the signals; ignores SIGPIPE and SIGXFSZ, as write(2)
 * reports both. *wait: mask for pselect. An ignored SIGHUP stays ignored. */
void signals_open(sigset_t *wait);

/* Delivers pending signals. pselect does not deliver them if a descriptor is
 * ready. */
void signals_deliver(const sigset_t *wait);

/* Number of the signal received since the last call, or 0. */
int signals_take(enum signal_flag flag);

/* Number of a pending or received signal that ends ktop, or 0. */
int signals_ending(void);

/* Was the signal sent to this process only, or by the terminal to its whole
 * job? code: si_code; in_front: this is the foreground job. */
bool signals_sent_to_one(int number, int code, bool in_front);

/* Sends the signal to a child of the same job, unless the terminal did. */
void signals_forward(int number, pid_t child);

/* Does another job own the terminal? False if SIGTTOU is ignored. */
bool signals_in_background(void);

/* Stops by the default action of `number` (SIGTSTP, SIGTTOU). to: 0 for the
 * job, or this process. True after SIGCONT; false at once in an orphaned
 * process group, where no shell sends SIGCONT. */
bool signals_stop_self(pid_t to, int number);

#endif
