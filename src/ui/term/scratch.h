/* A file in memory that curses writes into instead of the terminal. */
#ifndef UI_TERM_SCRATCH_H
#define UI_TERM_SCRATCH_H

#include <stdio.h>

/* Open for reading and writing, without a name; NULL with errno. */
FILE *scratch_open(void);

#endif
