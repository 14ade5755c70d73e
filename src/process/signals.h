/* Signals as flags; delivered only while the loop waits in pselect(). */
#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum signal_flag {
	SIGNAL_STOP,     /* INT, TERM, HUP, QUIT; its value is the number */
	SIGNAL_RESIZE,   /* WINCH */
	SIGNAL_PAUSE,    /* TSTP */
	SIGNAL_CONTINUE, /* CONT */
	SIGNAL_MARK,     /* USR1 */
	SIGNAL_CHILD,    /* CHLD */
	SIGNAL_FLAGS
};

/* Blocks and catches them; ignores SIGPIPE and SIGXFSZ, as writes report these.
 * *wait: mask for pselect. An ignored SIGHUP (nohup) stays ignored. */
void signals_open(sigset_t *wait);

/* Delivers pending signals: pselect does not if a descriptor is ready. */
void signals_deliver(const sigset_t *wait);

/* The number if the signal came since the last call, else 0. */
int signals_take(enum signal_flag flag);

/* The number of a pending or taken signal that ends ktop, or 0. */
int signals_ending(void);

/* Was the signal sent by kill() to one process? The terminal signals its whole
 * job; in_front: ours is the foreground job. */
bool signals_sent_to_one(int number, int code, bool in_front);

/* Sends SIGNAL_STOP to a child of the same job, unless the terminal did. */
void signals_forward(int number, pid_t child);

/* Does another job of the shell own the terminal? */
bool signals_in_background(void);

/* Stops by default action of `number` (SIGTSTP, SIGTTOU); to: 0 the job, or
 * this process. Returns at SIGCONT; false at once: nobody could send one
 * (orphaned process group). */
bool signals_stop_self(pid_t to, int number);

#endif
