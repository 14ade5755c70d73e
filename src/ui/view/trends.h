/* Cells of trends that are whole: made once, kept for the next frames. */
#ifndef UI_VIEW_TRENDS_H
#define UI_VIEW_TRENDS_H

#include <stdbool.h>
#include <stdint.h>

enum { TREND_CELLS = 256, TRENDS = 64 /* rows, by what they are of */ };

struct trend {
	unsigned scope;
	unsigned n;     /* whole cells, up to the one before `last` */
	bool all;       /* there are no older ones */
	unsigned fresh; /* the newest of them, made since their levels were */
	uint64_t last;  /* number of the cell that was growing */
	float cell[TREND_CELLS]; /* [number % TREND_CELLS] */
};

/* A row's cells as canvas_levels draws them, at a height of `max`. */
struct trend_levels {
	double max;
	/* [number % TREND_CELLS] and TREND_CELLS behind it: any run of them
	 * is in one piece. */
	uint8_t level[2 * TREND_CELLS];
};

struct process_trend {
	int32_t pid;
	uint64_t start;
	struct trend t;
};

struct trends { /* all of one past and one metric */
	uint64_t epoch;
	const void *self, *topology;
	int metric;
	struct trend slot[TRENDS]; /* [scope % TRENDS] */
	struct trend_levels levels[TRENDS];

	/* The same of processes. */
	uint64_t process_epoch;
	const void *process_self;
	int process_metric;
	struct process_trend process[TRENDS]; /* near [pid % TRENDS] */
};

#endif
