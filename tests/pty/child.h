/* A program on a terminal of its own, under a parent that does job control. */
#ifndef TESTS_PTY_CHILD_H
#define TESTS_PTY_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>

/*
 * Between us and the program stands a small leader of the session, as a shell
 * would: without one ^Z cannot stop the program (its process group would be
 * an orphan), and closing the terminal would hang up nobody but the program.
 */
struct child {
	int master; /* -1: closed */
	int ctl;    /* to the leader */
	pid_t leader, pid;
	bool stopped, gone;
	int status; /* as a shell tells it, once gone: 128 + n by signal n */
	struct termios found;
	char tty[64];
};

/*
 * Starts argv on a terminal of the given size. With nohup SIGHUP is ignored
 * in the program and the leader passes none on. Fails with a sentence in why.
 */
bool child_start(struct child *c, char **argv, int cols, int rows, bool nohup,
		 char *why, size_t size);

/*
 * Has it keys to read, or is it at work (where the system tells)? It does not
 * have to get a processor for that, so that a busy machine changes nothing.
 */
bool child_is_busy(const struct child *c);

/* Takes one message from the leader; call it when ctl is readable. */
void child_news(struct child *c);

/* Puts a stopped program back in front and lets it run on. */
void child_fg(struct child *c);

bool child_resize(struct child *c, int cols, int rows);

/* Closes the terminal: what happens when its window is closed. */
void child_hang_up(struct child *c);

/* "same", or how the line discipline differs from what the program found. */
void child_tty(const struct child *c, char *to, size_t size);

/* Kills what is left and frees all; the status stays. */
void child_end(struct child *c);

#endif
