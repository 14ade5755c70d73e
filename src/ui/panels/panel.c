#include "ui/panels/panel.h"

#include <stddef.h>

/* A row is the NAME of panel_NAME. */
/* clang-format off */
#define PANELS(row) \
	row(header) \
	row(presets) \
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
	row(legend) \
	row(trust) \
	row(keys)
#define PANEL_IS_THERE(name) extern const struct panel panel_##name;
#define PANEL_ROW(name) &panel_##name,

PANELS(PANEL_IS_THERE)
const struct panel *const panel_table[] = { PANELS(PANEL_ROW) NULL };
/* clang-format on */
