/* The lines of a summary that say which processes have most of an event. */
#ifndef COMMANDS_PROCESS_EVENTS_H
#define COMMANDS_PROCESS_EVENTS_H

#include "analysis/analysis.h"

#include <stdio.h>

/* Nothing where events of processes were not counted. */
void process_events_print(FILE *out, const struct digest_processes *p);

#endif
