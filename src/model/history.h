/* The past of every metric of every row, in rings sized once. */
#ifndef MODEL_HISTORY_H
#define MODEL_HISTORY_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * Memory is what limits it: about 8 MB in all. Rows of groups (clusters,
 * kinds, the machine) are kept for 3600 frames where that fits, rows of CPUs
 * for 240; with many CPUs both shrink, but never below 60.
 */
enum {
	HISTORY_BYTES = 8 << 20,
	HISTORY_GROUP_FRAMES = 3600,
	HISTORY_CPU_FRAMES = 240,
	HISTORY_FRAMES_MIN = 60
};

struct history {
	unsigned ncpus, ngroups, nmetrics;
	unsigned cpu_frames, group_frames; /* depth of the rings */
	unsigned long long pushed;         /* frames so far */
	float *cpu;                        /* [cpu_frames][ncpus * nmetrics] */
	float *group;   /* [group_frames][ngroups * nmetrics] */
	float *elapsed; /* [group_frames] */
};

bool history_init(struct history *h, unsigned ncpus, unsigned ngroups,
		  unsigned nmetrics, struct err *e);
void history_done(struct history *h);

/* value: [(ncpus + ngroups) * nmetrics] as in a frame; NULL: a frame to skip
 * over, all NAN. */
void history_push(struct history *h, const double *value, double elapsed_s);

/* As monitor_history. scope < ncpus is a CPU, else a group. */
unsigned history_read(const struct history *h, unsigned scope, unsigned metric,
		      unsigned n, float *out);
unsigned history_times(const struct history *h, unsigned n, float *out);

#endif
