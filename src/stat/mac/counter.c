#include "stat/stat.h"

#include "source/kperf/host.h"

const uint64_t counter_rss_bytes = 1; /* ru_maxrss: bytes, here */

struct counter *
counter_open(const struct options *o, struct err *e)
{
	return o->source.sim != NULL ? counter_sim_open(o, e)
				     : counter_host_open(host_system(), e);
}
