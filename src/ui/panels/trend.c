#include "ui/panels/panel.h"
#include "ui/panels/spark.h"
#include "ui/view/value.h"

static void
panel_trend_draw(struct canvas *c, const struct view *v)
{
	const struct topology *t = v->f->topology;
	int label = v->lay.table.label_w, from = label + 2;
	int w = c->window.w - from - 7;
	char text[48];
	struct buf b = buf_over(text, sizeof text);

	spark_title(v, w, &b);
	canvas_text(c, 1, 0, ROLE_DIM, buf_cstr(&b));
	for (unsigned i = 0; i < t->nclusters; i++) {
		unsigned scope = frame_scope_cluster(v->f, i);
		enum role role = view_cluster_role(t, i);
		int y = 1 + (int)i;
		struct value_shown shown;

		if (y >= c->window.h)
			break;
		canvas_text(c, 1, y, role, t->cluster[i].label);
		unsigned n = spark_values(v, scope, w);

		canvas_spark(c, from, y, w, v->scratch, n,
			     view_spark_max(v, scope), role);
		value_show_main(v, scope, &shown);
		canvas_right(c, from + w + 1, y, 5, shown.role, shown.text);
	}
}

const struct panel panel_trend = {
	.place = PANEL_TREND,
	.draw = panel_trend_draw,
	.needs_frame = true,
};
