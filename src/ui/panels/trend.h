/* Values of a trend: each of its cells stands for several frames. */
#ifndef UI_PANELS_TREND_H
#define UI_PANELS_TREND_H

#include "ui/view/view.h"

/*
 * Frames in a cell of a trend. The cells stand still until the next one
 * begins, which is a quarter of the bytes of a trend that moves on each tick,
 * and shows four times the past.
 */
enum { SPARK_FRAMES = 4 };

/*
 * The IPC of a scope, the newest cell (maybe not whole yet) last, in
 * v->scratch; NAN where nothing is known. How many, at most w. A cell has the
 * median of its frames, the lower where there are two: ratios are not averaged.
 */
unsigned spark_values(const struct view *v, unsigned scope, int w);

/* The same as a row of the canvas: r.w cells at r.x, r.y, r.h is 1. */
void spark_draw(struct canvas *c, const struct view *v, unsigned scope,
		struct rect r, enum role role);

/* The values of a process. */
unsigned process_spark(const struct view *v, const struct process_row *row,
		       enum process_metric metric, int w);

/* "IPC, last 76 s": what w cells cover, or of that what there is yet. */
void spark_title(const struct view *v, int w, struct buf *out);
void process_spark_title(const struct view *v, enum process_metric metric,
			 int w, struct buf *out);

#endif
