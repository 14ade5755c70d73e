/* The part of ktop summary that is about processes. */
#ifndef COMMANDS_SUMMARY_PROCESSES_H
#define COMMANDS_SUMMARY_PROCESSES_H

#include "analysis/digest.h"
#include "commands/report.h"

/* A sentence about the busiest. Nothing where the recording has none. */
void summary_answer_processes(FILE *out, const struct digest *d);

/* Nothing where the recording has none. top: how many rows; 0: the usual. */
void summary_print_processes(FILE *out, const struct digest *d, unsigned top);

/*
 * The fields that a record of processes has behind those of a core; p NULL:
 * it is of a core. Nothing where the recording has no processes.
 */
void summary_report_identity(struct report *out, const struct digest *d,
			     const struct digest_process *p);

/* All of them, (others) and (rest) as well: a record for each number. */
void summary_report_processes(struct report *out, const struct digest *d);

#endif
