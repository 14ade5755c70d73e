#include "ui/panels/inner.h"
#include "ui/view/value.h"

#include <math.h>
#include <string.h>

unsigned
spark_frames(const struct view *v)
{
	double n = v->s->period_ns > 0 ? 1e9 / (double)v->s->period_ns : 1;
	double most = SPARK_FRAMES_MOST;

	return n < 1 ? 1 : (unsigned)lround(n < most ? n : most);
}

/* Merges the n frames of v->scratch into at most w cells and returns their
 * number. head: frames of the newest cell. */
static unsigned
spark_cells_make(const struct view *v, unsigned n, unsigned head, unsigned w)
{
	unsigned cells = 0, i = 0, each = spark_frames(v);

	while (i < n && cells < w) {
		unsigned stop = head + cells * each, known = 0;
		float frame[SPARK_FRAMES_MOST];

		for (; i < n && i < stop; i++)
			if (!isnan(v->scratch[n - 1 - i]))
				frame[known++] = v->scratch[n - 1 - i];
		v->scratch[n - 1 - cells++] =
			known > 0 ? chart_nth(frame, known, (known - 1) / 2)
				  : NAN;
	}
	memmove(v->scratch, v->scratch + n - cells, cells * sizeof *v->scratch);
	return cells;
}

/* Returns the frames of the newest cell; cells begin at fixed frame numbers. */
static unsigned
spark_newest_cell(const struct view *v)
{
	uint64_t newest =
		v->f->seq - (v->when.scrub < v->f->seq ? v->when.scrub : 0);

	return (unsigned)(newest % spark_frames(v)) + 1;
}

unsigned
spark_values(const struct view *v, struct view_row row, int column, int w)
{
	if (w <= 0)
		return 0;
	unsigned n = view_read_past(v, row, column,
				    ((unsigned)w - 1) * spark_frames(v) +
					    spark_newest_cell(v));

	return spark_cells_make(v, n, spark_newest_cell(v), (unsigned)w);
}

void
spark_draw(struct canvas *c, const struct view *v, unsigned scope,
	   struct rect r)
{
	unsigned n = spark_values(v, OF_SCOPE(scope), v->metric.main, r.w);

	canvas_spark(c, r.x, r.y, r.w, v->scratch, n, view_spark_max(v, scope),
		     ROLE_DIM);
}

void
spark_title(const struct view *v, const char *label, int w, struct buf *out)
{
	static const char *const sign[] = { ", last ", ", ", " " };
	unsigned room = w > 0 ? spark_frames(v) * (unsigned)w : 0;
	unsigned n = view_read_past(v, OF_SCOPE(frame_scope_all(v->f)),
				    v->metric.main, room);
	double s =
		(double)(n < room ? n : room) * (double)v->s->period_ns / 1e9;
	size_t from = out->len;

	for (unsigned i = 0; i < sizeof sign / sizeof *sign; i++) {
		out->len = from;
		buf_str(out, label);
		if (n == 0)
			return;
		buf_str(out, sign[i]);
		buf_fixed(out, s < 600 ? s : s / 60, s < 2 ? 1 : 0);
		buf_str(out, s < 600 ? " s" : " min");
		if ((int)(out->len - from) <= w)
			return;
	}
}

void
panel_trend_draw(struct canvas *c, const struct view *v)
{
	const struct topology *t = v->f->topology;
	int label = v->lay.table.label_w, from = label + 2;
	int w = c->window.w - from - 7;
	char text[48];
	struct buf b = buf_over(text, sizeof text);

	spark_title(v, view_label(v, v->metric.main), w, &b);
	canvas_text(c, 1, 0, ROLE_DIM, buf_cstr(&b));
	for (unsigned i = 0; i < t->nclusters; i++) {
		unsigned scope = frame_scope_cluster(v->f, i);
		enum role role = view_cluster_role(t, i);
		int y = 1 + (int)i;
		struct value_shown shown;

		if (y >= c->window.h)
			break;
		canvas_text(c, 1, y, role, t->cluster[i].label);
		spark_draw(c, v, scope, (struct rect){ from, y, w, 1 });
		value_show_main(v, scope, &shown);
		canvas_right(c, from + w + 1, y, 5, shown.role, shown.text);
	}
}
