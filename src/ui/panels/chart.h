/* A chart's shape, and the axes and names around it. */
#ifndef UI_PANELS_CHART_H
#define UI_PANELS_CHART_H

#include "monitor/longrun.h"
#include "ui/view/view.h"

enum {
	CHART_LABEL_W = 5,
	CHART_SERIES_MAX = 6,
	CHART_NAME_SIZE = 24,
	CHART_DOT_FRAMES = 512, /* that one dot can stand for */
	CHART_MEDIAN_FROM = 4   /* behind a dot: more show their median */
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
	bool whole; /* a frame is a dot of `plan` */
	struct longrun_plan plan;
};

struct chart_name {
	char text[CHART_NAME_SIZE];
	enum role role;
	char letter; /* for the line in ASCII */
};
void chart_name(const struct view *v, const struct chart *k, unsigned i,
		struct chart_name *out);

/* The row of dots, from the top, where the value lies. */
int chart_row(const struct chart *k, double value);

/* The scale that holds max in at most `lines` even steps of 1, 2 or 5. */
void chart_scale(struct chart *k, double max, int lines);

/*
 * Shall it show sums of the run, because the frames of its span are no longer
 * there? Then it has a plan.
 */
bool chart_whole(const struct view *v, struct chart *k);

/* As view_past, of the run where that is shown: then n are its dots. */
unsigned chart_values(const struct view *v, const struct chart *k,
		      unsigned scope, unsigned n);

void chart_draw_scale(struct canvas *c, const struct chart *k);
void chart_draw_times(struct canvas *c, const struct view *v,
		      const struct chart *k);

/* The names above the plot. */
void chart_draw_names(struct canvas *c, const struct view *v,
		      const struct chart *k);

/* The same at the lines' ends, with the last values (NAN: there is none). */
void chart_draw_ends(struct canvas *c, const struct view *v,
		     const struct chart *k, const double *last);

/* "45s", "2m30", "1h05": how long ago, between marks that far apart. */
enum { CHART_AGO_SIZE = 16 };
void chart_ago(double s, double step, char text[CHART_AGO_SIZE]);

#endif
