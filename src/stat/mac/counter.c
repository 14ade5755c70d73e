#include "stat/counter.h"

#include "source/kperf/host.h"
#include "stat/host.h"

const uint64_t counter_rss_bytes = 1; /* ru_maxrss: bytes, here */

struct counter *
counter_open(const struct source_options *o, struct err *e)
{
	if (o->sim != NULL)
		return counter_sim_open(o->sim, e);
	return counter_host_open(host_system(), e);
}
