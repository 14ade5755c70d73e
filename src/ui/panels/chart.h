/* A chart's shape and scale. */
#ifndef UI_PANELS_CHART_H
#define UI_PANELS_CHART_H

#include "monitor/longrun.h"
#include "ui/view/view.h"

enum {
	CHART_LABEL_W = 5,
	CHART_SERIES_MAX = 6,
	CHART_NAME_SIZE = 24,
	CHART_DOT_FRAMES = 512, /* that one dot can stand for */
	CHART_MEDIAN_FROM = 4,  /* behind a dot: more show their median */
	CHART_GAPS = 8          /* that are told of */
};

struct chart {
	int metric;
	bool by_kind; /* too many clusters for a line each */
	unsigned nseries;
	unsigned frames;  /* that it has room for */
	unsigned ahead;   /* of these, still to come */
	int core;         /* scope of a core with a line of its own, or -1 */
	struct rect plot; /* in cells of the window */
	bool ends;        /* names stand at the ends of the lines */
	double max, step; /* of the scale: its end, and its lines */
	int per_x, per_y;
	unsigned ngaps;    /* newest first */
	unsigned gap_room; /* frames that each takes besides its own */
	struct history_gap gap[CHART_GAPS];
	bool whole; /* a frame is a dot of `plan` */
	struct longrun_plan plan;
};

/* The row of dots, from the top, where the value lies. */
int chart_row(const struct chart *k, double value);

/*
 * The newest values that there are dots for, in one line, k->ahead dots before
 * the end; how many dots it has.
 */
unsigned chart_line(struct canvas *c, const struct chart *k, const float *value,
		    unsigned n, enum role role, char letter);

/* The largest of them, if it is more than `most`. */
double chart_most(const float *value, unsigned n, double most);

/* The scale that holds max in at most `lines` even steps of 1, 2 or 5. */
void chart_scale(struct chart *k, double max, int lines);
void chart_scale_draw(struct canvas *c, const struct chart *k);

/* "45s", "2m30", "1h05": how long ago, between marks that far apart. */
enum { CHART_AGO_SIZE = 16 };
void chart_ago(double s, double step, char text[CHART_AGO_SIZE]);

#endif
