/* Markers from `ktop mark`: a running ktop keeps a locked file in the user's
 * state folder. The text comes in a file next to it, then SIGUSR1. */
#ifndef PROCESS_MARKS_H
#define PROCESS_MARKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	MARKS_TEXT_SIZE = 120, /* with its NUL */
	MARKS_PATH_SIZE = 1024,
	MARKS_FOLDERS = 2
};

struct marks {
	int fd; /* the locked file; -1: markers come without text */
	char run[MARKS_PATH_SIZE], text[MARKS_PATH_SIZE];
};

/* The folders in which this user's ktops are announced, in order:
 * $XDG_STATE_HOME/ktop, ~/.local/state/ktop. Returns how many. */
unsigned marks_folders(char folder[MARKS_FOLDERS][MARKS_PATH_SIZE]);

/* Announces this process in the first folder, created as the user. fd is -1 if
 * that fails, which is no error. */
void marks_open(struct marks *m);
void marks_close(struct marks *m);

/* Reads and removes the waiting text, without control characters. False: none,
 * or not the user's own private file. */
bool marks_take(struct marks *m, char text[MARKS_TEXT_SIZE]);

#endif
