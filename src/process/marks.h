/*
 * Marks from outside: a running ktop keeps a locked file in the user's state
 * folder, so that `ktop mark` finds it; the text comes through a file next to
 * it, and SIGUSR1 tells of it. Nobody listens anywhere.
 */
#ifndef PROCESS_MARKS_H
#define PROCESS_MARKS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

enum {
	MARKS_TEXT_SIZE = 120, /* bytes of a text with its NUL */
	MARKS_PATH_SIZE = 1024,
	MARKS_FOLDERS = 2
};

struct marks {
	int fd; /* of the locked file; -1: none, marks come without text */
	char run[MARKS_PATH_SIZE], text[MARKS_PATH_SIZE];
};

/*
 * The folders where a ktop of this user may be announced, in order, into
 * folder[MARKS_FOLDERS]: $XDG_STATE_HOME/ktop, ~/.local/state/ktop of the user
 * who called sudo or started ktop. Returns how many.
 */
unsigned marks_folders(char folder[MARKS_FOLDERS][MARKS_PATH_SIZE]);

/*
 * Announces this process in the first folder, made if need be, as the user. A
 * place that cannot be written is no error: then `fd` is -1.
 */
void marks_open(struct marks *m);
void marks_close(struct marks *m);

/*
 * The text that waits for this process, without control characters; taken
 * away. False when there is none, or it is not the user's own private file.
 */
bool marks_take(struct marks *m, char text[MARKS_TEXT_SIZE]);

#endif
