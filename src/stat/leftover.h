/* Files of --inject whose ktop has died: nobody reads them any more. */
#ifndef STAT_LEFTOVER_H
#define STAT_LEFTOVER_H

#include <stdbool.h>

/* Where a run's file is made: TMPDIR, or /tmp. */
const char *leftover_folder(void);

/* The file of a run that goes on is held: a lock, which dies with ktop. */
bool leftover_hold(int fd);

/* How many there were in that folder, of this user; what is held stays. */
unsigned leftover_remove(void);

#endif
