/* Receives markers from `ktop mark`. A running ktop locks a file in the user's
 * state folder; `ktop mark` writes a text file beside it and sends SIGUSR1. */
#ifndef PROCESS_MARKS_H
#define PROCESS_MARKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum { MARKS_TEXT_SIZE = 120, MARKS_PATH_SIZE = 1024, MARKS_FOLDERS = 2 };

struct marks {
	int fd; /* the locked file; -1: markers come without text */
	char run[MARKS_PATH_SIZE], text[MARKS_PATH_SIZE];
};

/* Folders that may have the locked files of this user's ktops, in order:
 * $XDG_STATE_HOME/ktop, ~/.local/state/ktop. Returns their number. */
unsigned marks_folders(char folder[MARKS_FOLDERS][MARKS_PATH_SIZE]);

/* Creates and locks a file in the first folder, as the user. fd is -1 if that
 * fails, which is no error. */
void marks_open(struct marks *m);
void marks_close(struct marks *m);

/* Reads and removes the text's file. False: there is no text, or its file is
 * not a private file of the user. */
bool marks_take(struct marks *m, char text[MARKS_TEXT_SIZE]);

#endif
