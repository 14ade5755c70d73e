/* ktop summary: lasting changes of IPC. */
#ifndef COMMANDS_CHANGES_H
#define COMMANDS_CHANGES_H

#include "analysis/analysis.h"

#include <stdio.h>

void changes_print(FILE *out, const struct digest *d);

#endif
