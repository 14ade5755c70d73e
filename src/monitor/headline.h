/* Chooses the row of the headline, from the last seconds. */
#ifndef MONITOR_HEADLINE_H
#define MONITOR_HEADLINE_H

#include "monitor/bottlenecks.h"

enum { HEADLINE_SPEEDS = 16 };

struct past_second {
	struct shares slots_to;
	float slots, memory; /* in millions; memory: the part in memory-bound
				intervals */
};

struct bottleneck_past {
	struct past_second
		second[BOTTLENECK_SECONDS]; /* [second % BOTTLENECK_SECONDS] */
};

struct speed_second {
	float cycles, instructions, busy_ns, cpu_ns;
};

struct bottleneck_speed {
	struct speed_second
		second[HEADLINE_SPEEDS]; /* [second % HEADLINE_SPEEDS] */
	double began_s;
	float ipc_before;
	uint8_t samples;
	bool slow;
	enum slot_share named; /* SHARE_COUNT: the cluster is no candidate for
				  the headline */
};

void headline_follow(struct bottlenecks *v, const struct frame *f,
		     unsigned cluster);

/* Call after all rows of the interval are judged. */
void headline_put(struct bottlenecks *v, const struct frame *f);

/* Returns the preset that can separate the possible causes, or that shows
 * details of the known cause; never the current preset. -1: none. */
int8_t bottlenecks_see(const struct bottlenecks *v, const struct bottleneck *b);

#endif
