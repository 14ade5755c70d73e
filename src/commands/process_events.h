/* Finds the processes with the most of an event. */
#ifndef COMMANDS_PROCESS_EVENTS_H
#define COMMANDS_PROCESS_EVENTS_H

#include "analysis/analysis.h"

#include <stdio.h>

void process_events_print(FILE *out, const struct digest_processes *p);

#endif
