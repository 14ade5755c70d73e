#include "stat/stat.h"

#include "source/kperf/host.h"

const uint64_t counter_rss_bytes = 1; /* macOS gives ru_maxrss in bytes */

struct counter *
counter_open(const struct options *o, struct err *e)
{
	return o->source.sim != NULL ? counter_sim_open(o, e)
				     : counter_host_open(host_system(), e);
}
