/* The part of ktop compare that is about processes. */
#ifndef COMMANDS_COMPARE_BY_NAME_H
#define COMMANDS_COMPARE_BY_NAME_H

#include "analysis/compare_processes.h"
#include "commands/report.h"

/* Nothing where a side has none. */
void compare_print_processes(FILE *out, const struct compare *c,
			     const struct compare_processes *p);

/* A record for each number of each name. */
void compare_report_processes(struct report *out, const struct compare *c,
			      const struct compare_processes *p);

#endif
