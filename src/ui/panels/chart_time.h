/* What stands on a chart's axis of time: ages, marks, sleep. */
#ifndef UI_PANELS_CHART_TIME_H
#define UI_PANELS_CHART_TIME_H

#include "ui/panels/chart.h"

/* The gaps of the frames that the chart shows, into *k. */
void chart_gaps_find(const struct view *v, struct chart *k);

/*
 * Makes room for the gaps in the n values of v->scratch, as three columns
 * each; at most `most` of the newest values stay. of_times: values go on
 * evenly through a gap, else it has none. Returns how many there are.
 */
unsigned chart_spread(const struct view *v, const struct chart *k, unsigned n,
		      unsigned most, bool of_times);

/* "-90s   -1m   -30s   now": each below where it was. */
void chart_times(struct canvas *c, const struct view *v, const struct chart *k);

/* Where nothing was counted: two lines, and how long. */
void chart_gaps(struct canvas *c, const struct view *v, const struct chart *k);

/* A line for each mark; then, over the curves, their numbers and names. */
void chart_marks(struct canvas *c, const struct view *v, const struct chart *k,
		 bool names);

#endif
