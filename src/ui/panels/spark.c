#include "ui/panels/spark.h"

#include "ui/view/value.h"

#include <math.h>
#include <string.h>

/* Of the n known values in v, the one in the middle, the lower of two. */
static float
middle(float *v, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		float x = v[i];
		unsigned j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
	return n > 0 ? v[(n - 1) / 2] : NAN;
}

unsigned
spark_values(const struct view *v, unsigned scope, int w)
{
	/* Frames of the newest cell: cells begin where seq says, not at now. */
	uint64_t newest = v->f->seq - (v->scrub < v->f->seq ? v->scrub : 0);
	unsigned head = (unsigned)(newest % SPARK_FRAMES) + 1;
	unsigned n, cells = 0, i = 0;

	if (w <= 0)
		return 0;
	n = view_past(v, scope, v->main,
		      ((unsigned)w - 1) * SPARK_FRAMES + head);
	/* From the newest on, each cell at a place that was read before. */
	while (i < n && cells < (unsigned)w) {
		unsigned stop = head + cells * SPARK_FRAMES, known = 0;
		float frame[SPARK_FRAMES];

		for (; i < n && i < stop; i++)
			if (!isnan(v->scratch[n - 1 - i]))
				frame[known++] = v->scratch[n - 1 - i];
		v->scratch[n - 1 - cells++] = middle(frame, known);
	}
	memmove(v->scratch, v->scratch + n - cells, cells * sizeof *v->scratch);
	return cells;
}

void
spark_title(const struct view *v, int w, struct buf *out)
{
	unsigned room = w > 0 ? SPARK_FRAMES * (unsigned)w : 0;
	unsigned n = view_past(v, frame_scope_all(v->f), v->main, room);
	double s =
		(double)(n < room ? n : room) * (double)v->s->period_ns / 1e9;

	buf_str(out, view_label(v, v->main));
	if (n == 0)
		return;
	buf_str(out, ", last ");
	buf_fixed(out, s < 600 ? s : s / 60, s < 2 ? 1 : 0);
	buf_str(out, s < 600 ? " s" : " min");
}
