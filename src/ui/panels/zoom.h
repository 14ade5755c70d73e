/* Zoom on a row: its verdict over time, and its metrics against its group's. */
#ifndef UI_PANELS_ZOOM_H
#define UI_PANELS_ZOOM_H

#include "ui/view/view.h"

/*
 * Draws into r, of the canvas' window: a line of letters, a frame each, with
 * what they mean and how long each was; below it a small chart for each metric
 * that is counted. Returns the rows it took.
 */
int zoom_draw(struct canvas *c, const struct view *v, unsigned scope,
	      struct rect r);

/* Rows it would like, with so many columns. */
int zoom_rows(const struct view *v, int w);

#endif
