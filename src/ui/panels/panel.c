#include "ui/panels/panel.h"

#include <stddef.h>

/* A row is the NAME of panel_NAME. */
/* clang-format off */
#define PANELS(row) \
	row(header) \
	row(presets) \
	row(headline) \
	row(notice) \
	row(clusters) \
	row(cores) \
	row(outliers) \
	row(trend) \
	row(chart) \
	row(chart2) \
	row(bottlenecks) \
	row(explain) \
	row(detail) \
	row(events) \
	row(processes) \
	row(process_chart) \
	row(process_kinds) \
	row(busiest) \
	row(legend) \
	row(trust) \
	row(keys)
#define PANEL_IS_THERE(name) extern const struct panel panel_##name;
#define PANEL_ROW(name) &panel_##name,

PANELS(PANEL_IS_THERE)
const struct panel *const panel_table[] = { PANELS(PANEL_ROW) NULL };

#define OVERLAY_ROW(constant, name, place) [constant] = panel_##name##_draw,
static void (*const over_table[])(struct canvas *c, struct view *v) = { OVERLAYS(OVERLAY_ROW) };
/* clang-format on */

void
panel_over_draw(struct canvas *c, struct view *v)
{
	if (v->over.which != OVERLAY_NONE)
		over_table[v->over.which](c, v);
}
