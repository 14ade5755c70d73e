/* The first line: which row it is of, by the last seconds. */
#ifndef MONITOR_HEADLINE_H
#define MONITOR_HEADLINE_H

#include "monitor/bottlenecks.h"

enum { HEADLINE_SPEEDS = 16 };

/* Sums over one second. */
struct past_second {
	struct shares slots_to;
	float slots, memory; /* judged; of them where loads explain the rest */
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
	double began_s;                  /* when it slowed */
	float ipc_before;
	uint8_t samples; /* in a row that are slow */
	bool slow;
	enum slot_share named; /* cause that the headline may name */
};

/* Adds this interval to the second of a cluster, and compares with before. */
void headline_follow(struct bottlenecks *v, const struct frame *f,
		     unsigned cluster);

/* When all rows of the interval are judged. */
void headline_put(struct bottlenecks *v, const struct frame *f);

/*
 * What would separate the causes that are left, or shows more of the cause:
 * never the preset in force; -1: none does.
 */
int8_t bottlenecks_see(const struct bottlenecks *v, const struct bottleneck *b);

#endif
