/* What tracing of the kernel may cost, and what is done where it costs more. */
#ifndef SOURCE_KPERF_BUDGET_H
#define SOURCE_KPERF_BUDGET_H

#include <stdint.h>

enum { TRACE_PERIOD_NS = 50000000 }; /* between samples, as a rule */

struct trace_budget {
	unsigned over, quiet; /* looks in a row */
};

/*
 * The period from now on: twice as long after five looks in a row of too many
 * records a second or too much of a core, half of that after thirty that were
 * well within. At most a second.
 */
uint64_t trace_budget_period(struct trace_budget *b, uint64_t period_ns,
			     double records_s, double core_share);

#endif
