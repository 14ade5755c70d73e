/* The parts of the screen: panel_NAME_draw, and its row in PANELS. */
#ifndef UI_PANELS_PANEL_H
#define UI_PANELS_PANEL_H

#include "ui/view/view.h"

/*
 * All panels, in the order of drawing: ROW(NAME, place, needs a frame) has
 * panel_NAME_draw, and WANTS(...) panel_NAME_rows as well.
 */
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
	ROW(trust, PANEL_TRUST, true) \
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

/* The message over the last lines, over everything else. */
void panel_message_draw(struct canvas *c, const struct view *v);

/* What lies over the screen, over the whole canvas. */
#define OVERLAY_DRAW(constant, name, place) \
	void panel_##name##_draw(struct canvas *c, struct view *v);
OVERLAYS(OVERLAY_DRAW)
#undef OVERLAY_DRAW

/* The list of themes: opens it; a key for it (false: for others). */
void panel_themes_open(struct view *v);
bool panel_themes_key(struct view *v, int key);

/* Text in at most w cells; what is cut ends in "..". */
void panel_cut(struct canvas *c, int x, int y, int w, enum role role,
	       const char *s);

/* A box along the edge of the window. */
void panel_box(struct canvas *c, const char *title, const char *note);

/* A cleared box in the middle of the screen, which becomes the window. */
struct rect panel_overlay(struct canvas *c, int w, int h, const char *title,
			  const char *note);

/* What of a list's n lines is seen: rows of them, from top on. */
struct list_part {
	int top, rows, n;
};

/* "3-8 of 14"; nothing where all are seen. */
void panel_part(const struct list_part *p, struct buf *b);

/* The same before the note of an overlay w wide, or alone where it is small. */
void panel_list_note(const struct list_part *p, const char *title,
		     const char *note, int w, struct buf *b);

/* "held by ktop, verified": the counters' state in a few words. */
const char *panel_trust_text(const struct view *v, enum role *role);
void panel_cost_text(const struct view *v, struct buf *b);

#endif
