/* The charts on a whole screen, of a past that the test makes up. */
#ifndef TESTS_UI_CHART_SCREEN_H
#define TESTS_UI_CHART_SCREEN_H

#include "screen.h"

/* The past's functions get the screen. */
static inline void
chart_open(struct screen *s, enum canvas_glyphs glyphs, const struct past *past)
{
	screen_open(s, "m1", 120, 40, glyphs);
	s->view->past = *past;
	s->view->past.self = (const void *)s;
	s->view->kind = VIEW_CHART;
}

/* Is there a chart of that metric among those that M goes through? */
static inline bool
chart_is_offered(struct screen *s, int metric)
{
	bool found = false;
	int steps = 0;

	(void)screen_draw(s);
	do {
		view_chart_next(s->view, 0);
		(void)screen_draw(s);
		found |= s->view->chart.metric == metric;
	} while (s->view->chart.metric != s->view->metric.ipc && ++steps < 200);
	return found;
}

#endif
