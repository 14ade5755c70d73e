#include "stat/counter.h"

#include "stat/host.h"
#include "stat/linux/task.h"

const uint64_t counter_rss_bytes = 1024;

struct counter *
counter_open(const struct options *o, struct err *e)
{
	return o->source.sim != NULL ? counter_sim_open(o, e)
				     : counter_task_open(o, e);
}
