#include "ui/panels/panel.h"

#include <stddef.h>

/* clang-format off */
#define PANEL_ROW(name, place, frame) { place, frame, panel_##name##_draw, NULL },
#define PANEL_WANTS(name, place, frame) { place, frame, panel_##name##_draw, panel_##name##_rows },
const struct panel panel_table[] = { PANELS(PANEL_ROW, PANEL_WANTS) { 0 } };

#define OVERLAY_ROW(constant, name, place) [constant] = panel_##name##_draw,
static void (*const over_table[])(struct canvas *c, struct view *v) = { OVERLAYS(OVERLAY_ROW) };
/* clang-format on */

void
panel_over_draw(struct canvas *c, struct view *v)
{
	if (v->over.which != OVERLAY_NONE)
		over_table[v->over.which](c, v);
}
