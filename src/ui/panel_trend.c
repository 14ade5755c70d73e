#include "ui/panel.h"
#include "ui/value.h"

void
panel_trend_draw(struct canvas *c, const struct view *v)
{
	const struct topology *t = v->f->topology;
	int label = v->lay.table.label_w, from = label + 2;
	int w = c->window.w - from - 7;
	char text[48];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "IPC, last ");
	buf_fixed(&b, w * (double)v->s->period_ns / 1e9, 0);
	buf_str(&b, " s");
	canvas_text(c, 1, 0, ROLE_DIM, buf_cstr(&b));
	for (unsigned i = 0; i < t->nclusters; i++) {
		unsigned scope = frame_scope_cluster(v->f, i);
		enum role role = view_cluster_role(t, i);
		int y = 1 + (int)i;
		struct value_shown shown;

		if (y >= c->window.h)
			break;
		canvas_text(c, 1, y, role, t->cluster[i].label);
		unsigned n = view_past(v, scope, v->ipc, (unsigned)w);

		canvas_spark(c, from, y, w, v->scratch, n,
			     view_spark_max(v, scope), role);
		value_show_ipc(v, scope, &shown);
		canvas_right(c, from + w + 1, y, 5, shown.role, shown.text);
	}
}
