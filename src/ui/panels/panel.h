/* The panels: a row of PANELS has a function panel_NAME_draw. */
#ifndef UI_PANELS_PANEL_H
#define UI_PANELS_PANEL_H

#include "ui/view/view.h"

/* ROW(name, enum panel_id, needs a frame), in drawing order. WANTS:
 * panel_NAME_rows also returns the rows that the panel can use. */
/* clang-format off */
#define PANELS(ROW, WANTS) \
	ROW(header, PANEL_HEADER, false) \
	ROW(views, PANEL_VIEWS, false) \
	ROW(presets, PANEL_PRESETS, false) \
	WANTS(headline, PANEL_HEADLINE, true) \
	WANTS(notice, PANEL_NOTICE, false) \
	ROW(clusters, PANEL_CLUSTERS, true) \
	ROW(cores, PANEL_CORES, true) \
	ROW(outliers, PANEL_OUTLIERS, true) \
	ROW(trend, PANEL_TREND, true) \
	ROW(chart, PANEL_CHART, true) \
	ROW(chart2, PANEL_CHART2, true) \
	ROW(power, PANEL_POWER, true) \
	ROW(bottlenecks, PANEL_BOTTLENECKS, true) \
	ROW(strips, PANEL_STRIPS, true) \
	ROW(explain, PANEL_EXPLAIN, true) \
	WANTS(detail, PANEL_DETAIL, true) \
	WANTS(events, PANEL_EVENTS, true) \
	ROW(processes, PANEL_PROCESSES, true) \
	WANTS(process_chart, PANEL_PROCESS_CHART, true) \
	ROW(process_kinds, PANEL_PROCESS_KINDS, true) \
	WANTS(busiest, PANEL_BUSIEST, true) \
	ROW(legend, PANEL_LEGEND, true) \
	ROW(quality, PANEL_QUALITY, true) \
	WANTS(keys, PANEL_KEYS, false)
/* clang-format on */
#define PANEL_DRAW(name, ...) \
	void panel_##name##_draw(struct canvas *c, const struct view *v);
#define PANEL_WANTS(name, ...)                                            \
	void panel_##name##_draw(struct canvas *c, const struct view *v); \
	int panel_##name##_rows(const struct view *v, int w);
PANELS(PANEL_DRAW, PANEL_WANTS)
#undef PANEL_DRAW
#undef PANEL_WANTS

void panel_message_draw(struct canvas *c, const struct view *v);

#define OVERLAY_DRAW(constant, name, place) \
	void panel_##name##_draw(struct canvas *c, struct view *v);
OVERLAYS(OVERLAY_DRAW)
#undef OVERLAY_DRAW

void panel_themes_open(struct view *v);
bool panel_themes_key(struct view *v, int key);

/* Draws s in at most w cells; a cut text ends with ".." and needs w >= 3. */
void panel_cut(struct canvas *c, int x, int y, int w, enum role role,
	       const char *s);

void panel_box(struct canvas *c, const char *title, const char *note);

/* Clears a centred box and makes it the canvas's window. Returns the box. */
struct rect panel_overlay(struct canvas *c, int w, int h, const char *title,
			  const char *note);

struct list_part {
	int top, rows, n;
};

/* Adds "3-8 of 14"; nothing if all lines are visible. */
void panel_part(const struct list_part *p, struct buf *b);

/* Adds panel_part's text and, if both fit in w cells, the note. */
void panel_list_note(const struct list_part *p, const char *title,
		     const char *note, int w, struct buf *b);

/* Returns the state of the counters, such as "in use by ktop, verified". */
const char *panel_quality_text(const struct view *v, enum role *role);
void panel_cost_text(const struct view *v, struct buf *b);

#endif
