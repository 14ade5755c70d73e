/* Processes of two recordings, or runs, by name: a pid is of one run alone. */
#ifndef ANALYSIS_COMPARE_PROCESSES_H
#define ANALYSIS_COMPARE_PROCESSES_H

#include "analysis/compare.h"

#include <stdbool.h>
#include <stdint.h>

enum compare_process_value {
	COMPARE_PROCESS_CPU,  /* CPU time in percent: 100 is one CPU */
	COMPARE_PROCESS_GIPS, /* 10^9 instructions a second */
	COMPARE_PROCESS_IPC,
	COMPARE_PROCESS_VALUES
};

/* The means of several runs; NAN: none has it. */
struct compare_process_side {
	double value[COMPARE_PROCESS_VALUES];
	uint64_t n[COMPARE_PROCESS_VALUES]; /* frames, or runs, that have it */
};

struct compare_process {
	char name[PROCESS_NAME_SIZE];
	struct compare_process_side a, b;
};

struct compare_processes {
	unsigned n;
	struct compare_process *row; /* most CPU time in A or B first */
};

/*
 * Once, after compare_read: the digests have their processes by name then. None
 * where a side has no processes. False and *e; free it then, too.
 */
bool compare_processes_make(struct compare_processes *p,
			    const struct compare *c, struct err *e);
void compare_processes_free(struct compare_processes *p);

/*
 * An event of processes of that name, per 1000 of their instructions: the mean
 * of the runs that counted it; NAN: none did.
 */
double compare_process_rate(const struct compare_side *s, const char *process,
			    const char *event);

#endif
