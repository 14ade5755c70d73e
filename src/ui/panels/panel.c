#include "ui/panels/panel.h"

/* clang-format off */
const struct panel panel_table[PANEL_COUNT] = {
	[PANEL_HEADER]      = { "header", "machine, source, state and trust", false, panel_header_draw },
	[PANEL_PRESETS]     = { "presets", "presets and their keys", false, panel_presets_draw },
	[PANEL_NOTICE]      = { "notice", "why not everything is counted", false, panel_notice_draw },
	[PANEL_CLUSTERS]    = { "clusters", "sums of counts, divided last", true, panel_clusters_draw },
	[PANEL_CORES]       = { "cores", "one row per CPU", true, panel_cores_draw },
	[PANEL_OUTLIERS]    = { "outliers", "cores that stand out, where not all have rows", true, panel_outliers_draw },
	[PANEL_DETAIL]      = { "detail", "all that is known of the selected row", true, panel_detail_draw },
	[PANEL_TREND]       = { "trend", "IPC of the last frames", true, panel_trend_draw },
	[PANEL_CHART]       = { "chart", "a metric by cluster", true, panel_chart_draw },
	[PANEL_CHART2]      = { "chart2", "a second metric by cluster", true, panel_chart2_draw },
	[PANEL_BOTTLENECKS] = { "bottlenecks", "top-down shares by cluster, and what stands out", true, panel_bottlenecks_draw },
	[PANEL_EXPLAIN]     = { "columns", "what the columns say", true, panel_explain_draw },
	[PANEL_EVENTS]      = { "events and trust", "what is counted, and how well", true, panel_events_draw },
	[PANEL_LEGEND]      = { "legend", "units of the columns", true, panel_legend_draw },
	[PANEL_TRUST]       = { "trust", "state of the counters, ktop's cost", true, panel_trust_draw },
	[PANEL_KEYS]        = { "keys", "the keys that matter here", false, panel_keys_draw },
};
/* clang-format on */

void
panel_cut(struct canvas *c, int x, int y, int w, enum role role, const char *s)
{
	if (canvas_width(s) <= w) {
		canvas_text(c, x, y, role, s);
		return;
	}
	if (w < 3)
		return;
	canvas_textn(c, x, y, w - 2, role, s);
	canvas_text(c, x + w - 2, y, role, "..");
}

void
panel_too_small(struct canvas *c)
{
	char text[64];
	struct buf b = buf_over(text, sizeof text);

	buf_str(&b, "ktop: ");
	buf_i64(&b, c->w);
	buf_char(&b, 'x');
	buf_i64(&b, c->h);
	buf_str(&b, " is too small (need ");
	buf_i64(&b, LAYOUT_MIN_W);
	buf_char(&b, 'x');
	buf_i64(&b, LAYOUT_MIN_H);
	buf_char(&b, ')');
	canvas_wrap(c, (struct rect){ 0, 0, c->w, c->h }, ROLE_TEXT,
		    buf_cstr(&b));
}

void
panel_waiting(struct canvas *c)
{
	static const char text[] = "waiting for the second reading ...";
	int w = canvas_width(text);

	canvas_window(c, (struct rect){ 0, 0, c->w, c->h });
	if (c->h >= 6)
		canvas_text(c, c->w > w ? (c->w - w) / 2 : 0, c->h / 2,
			    ROLE_DIM, text);
}
