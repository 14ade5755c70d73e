/* Signals as flags: delivered only while the loop waits in pselect. */
#ifndef PROCESS_SIGNALS_H
#define PROCESS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

enum signal_flag {
	SIGNAL_STOP, /* INT, TERM, HUP, QUIT: leave; its value is the number */
	SIGNAL_RESIZE,   /* WINCH */
	SIGNAL_PAUSE,    /* TSTP */
	SIGNAL_CONTINUE, /* CONT */
	SIGNAL_MARK,     /* USR1 */
	SIGNAL_CHILD,    /* CHLD */
	SIGNAL_FLAGS
};

/*
 * Blocks and catches them, ignores SIGPIPE and SIGXFSZ (writes say so
 * instead). *wait is the mask for pselect. A SIGHUP that was ignored (nohup)
 * stays so.
 */
void signals_open(sigset_t *wait);

/* pselect lets none in where it finds input or room at once. */
void signals_deliver(const sigset_t *wait);

/* The signal's number if it came since the last call, else 0. */
int signals_take(enum signal_flag flag);

/* One that ends ktop has come, and may be blocked as yet: its number, or 0. */
int signals_ending(void);

/*
 * Was a signal with this si_code sent to one process? The terminal sends INT
 * and QUIT to its whole job. in_front: this is that job.
 */
bool signals_sent_to_one(int number, int code, bool in_front);

/*
 * Sends the SIGNAL_STOP that was taken to a child of the same job, unless the
 * terminal has sent it there already.
 */
void signals_forward(int number, pid_t child);

/* Does the terminal of input or output belong to another job of its shell? */
bool signals_in_background(void);

/*
 * Stops as by the terminal: `number` is SIGTSTP or SIGTTOU with its default
 * action, to: 0, the job, or this process. Returns with the next SIGCONT;
 * false: at once, since nobody could send one (an orphaned process group).
 */
bool signals_stop_self(pid_t to, int number);

#endif
