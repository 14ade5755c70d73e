/* What ktop doctor asks of perf events (source/examine.h). */
#include "source/perf/examine.h"

static void
counters(struct examine *x)
{
	x->count(x);
}

const struct examine_question perf_examine[] = {
	{ "system", perf_examine_versions },
	{ "rights", perf_examine_rights },
	{ "pmus", perf_examine_pmus },
	{ "topology", perf_examine_topology },
	{ "clocks", perf_examine_clocks },
	{ "counters", counters },
	{ NULL, NULL },
};
