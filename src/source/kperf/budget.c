#include "source/kperf/budget.h"

#include <stdbool.h>

enum { OVER = 5, QUIET = 30, MOST_NS = 1000000000 };

static const double records_most = 50000, share_most = 0.02;

uint64_t
trace_budget_period(struct trace_budget *b, uint64_t period_ns,
		    double records_s, double core_share)
{
	bool over = records_s > records_most || core_share > share_most;
	/* Twice as many must fit, or it would go to and from. */
	bool quiet =
		2 * records_s < records_most && 2 * core_share < share_most;

	b->over = over ? b->over + 1 : 0;
	b->quiet = quiet ? b->quiet + 1 : 0;
	if (b->over >= OVER && period_ns < MOST_NS) {
		b->over = 0;
		return 2 * period_ns < MOST_NS ? 2 * period_ns : MOST_NS;
	}
	if (b->quiet >= QUIET && period_ns > TRACE_PERIOD_NS) {
		b->quiet = 0;
		return period_ns / 2 > TRACE_PERIOD_NS ? period_ns / 2
						       : TRACE_PERIOD_NS;
	}
	return period_ns;
}
