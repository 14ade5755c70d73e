/* Signals as flags: delivered only while the loop sleeps in pselect. */
#ifndef APP_SIGNALS_H
#define APP_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

enum signal_flag {
	SIGNAL_STOP, /* INT, TERM, HUP, QUIT: leave; its value is the number */
	SIGNAL_RESIZE, /* WINCH */
	SIGNAL_PAUSE,  /* TSTP */
	SIGNAL_GO_ON,  /* CONT */
	SIGNAL_MARK,   /* USR1 */
	SIGNAL_CHILD,  /* CHLD */
	SIGNAL_FLAGS
};

/*
 * Blocks and catches them, ignores SIGPIPE and SIGXFSZ (writes say so
 * instead). *wait is the mask for pselect. A SIGHUP that was ignored (nohup)
 * stays so.
 */
void signals_open(sigset_t *wait);

/* The signal's number if it came since the last call, else 0. */
int signals_take(enum signal_flag flag);

#endif
