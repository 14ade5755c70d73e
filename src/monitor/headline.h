/* Chooses the row of the headline, from the last seconds. */
#ifndef MONITOR_HEADLINE_H
#define MONITOR_HEADLINE_H

#include "monitor/bottlenecks.h"

enum { HEADLINE_SPEEDS = 16 };

/* Sums over one second. */
struct past_second {
	struct shares slots_to;
	float slots, memory; /* slots that were judged, and those of them that
				are memory bound */
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
	double began_s; /* elapsed time when the cluster slowed */
	float ipc_before;
	uint8_t samples; /* consecutive slow samples */
	bool slow;
	enum slot_share named; /* cause that the headline may report */
};

/* Adds this interval to the cluster's current second, and compares its speed
 * with before. */
void headline_follow(struct bottlenecks *v, const struct frame *f,
		     unsigned cluster);

/* Call after all rows of the interval are judged. */
void headline_put(struct bottlenecks *v, const struct frame *f);

/* Index of the preset that separates the possible causes, or shows details of
 * the known one. -1: none; never the current preset. */
int8_t bottlenecks_see(const struct bottlenecks *v, const struct bottleneck *b);

#endif
