#include "stat/counter.h"

#include "stat/host.h"

const uint64_t counter_rss_bytes = 1024;

struct counter *
counter_open(const struct source_options *o, struct err *e)
{
	return o->sim != NULL
		       ? counter_sim_open(o->sim, e)
		       : counter_none_open(
				 "this ktop does not count them on Linux", e);
}
