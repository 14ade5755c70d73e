/* Lines of the screen that stay as they were drawn until they say another
 * thing. */
#ifndef UI_VIEW_KEPT_H
#define UI_VIEW_KEPT_H

#include "ui/view/view.h"

enum kept_which {
	KEPT_KEYS,
	KEPT_PRESETS,
	KEPT_HEADS,
	KEPT_CLUSTERS, /* the titles of that table, as the next one */
	KEPT_CORES,
	KEPT_LINES
};
enum { KEPT_KEY = sizeof(struct layout_table) + 96, KEPT_HITS = 64 };

struct kept_line {
	size_t n; /* of key; 0: nothing is kept */
	unsigned char key[KEPT_KEY];
	struct rect window;
	enum canvas_glyphs glyphs;
	unsigned nhits;
	struct view_hit hit[KEPT_HITS];
	struct cell cell[CANVAS_MAX_SIDE];
};

struct kept_lines {
	struct kept_line line[KEPT_LINES];
};

#endif
