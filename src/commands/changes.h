/* The lines of a summary that say when something changed. */
#ifndef COMMANDS_CHANGES_H
#define COMMANDS_CHANGES_H

#include "analysis/analysis.h"

#include <stdio.h>

/* When IPC changed for long: a line for each of the largest changes. */
void changes_print(FILE *out, const struct digest *d);

#endif
