/* Options of the screen, parsed before the screen opens. */
#ifndef UI_DRAW_CHOICES_H
#define UI_DRAW_CHOICES_H

#include <stdbool.h>

enum ui_color { UI_COLOR_AUTO, UI_COLOR_ALWAYS, UI_COLOR_NEVER };
enum ui_glyphs {
	UI_GLYPHS_AUTO,
	UI_GLYPHS_ASCII,
	UI_GLYPHS_BLOCK,
	UI_GLYPHS_BRAILLE
};

enum layout_view {
	VIEW_OVERVIEW,
	VIEW_PROCESSES,
	VIEW_CORES,
	VIEW_CHART,
	VIEW_POWER,
	VIEW_BOTTLENECKS,
	VIEW_EVENTS,
	VIEW_DETAIL
};
enum { VIEW_COUNT = VIEW_DETAIL + 1 };
extern const char *const layout_view_name[VIEW_COUNT];

/* Groupings of the list of cores; each group has a heading row. */
enum view_group { GROUP_NONE, GROUP_CLUSTER, GROUP_KIND, GROUP_DIE };
enum { VIEW_GROUPS = GROUP_DIE + 1 };
extern const char *const view_group_name[VIEW_GROUPS];

struct ui_options {
	/* Name, path, or "auto" (by the background); NULL: $KTOP_THEME. */
	const char *theme;
	enum ui_color color;
	enum ui_glyphs glyphs;
	bool mouse;
	unsigned view;      /* enum layout_view */
	const char *sort;   /* "cpu", "busy", a metric's name; NULL: cpu */
	unsigned group;     /* enum view_group */
	const char *pin;    /* "4,P0": rows pinned to the top; NULL: none */
	const char *filter; /* text of the filter; NULL or "none": none */
	bool reverse;
	bool trace; /* --trace: count events per process */
};

#endif
