/* Cycles and instructions of one CPU, counted by the kernel as one group. */
#ifndef SOURCE_GROUP_LINUX_H
#define SOURCE_GROUP_LINUX_H

#include "model/sample.h"

#include <stdbool.h>
#include <stdint.h>

/* Zeroed, it is closed. Totals go on over a close and a new open. */
struct group {
	bool open;
	bool has_instructions;
	int leader, sibling; /* file descriptors */
	uint64_t base[FIXED_COUNT], base_enabled, base_running;
	uint64_t last[FIXED_COUNT], last_enabled, last_running;
};

/* 0, or the errno of perf_event_open. */
int group_open(struct group *g, int cpu);
void group_close(struct group *g);

/*
 * Fills two readings. False when the group is dead, as after its CPU was off
 * line: close it and open it again.
 */
bool group_read(struct group *g, struct reading *fixed);

#endif
