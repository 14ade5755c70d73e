/* Where the issue slots of clusters go: bars of four shares. */
#ifndef UI_PANELS_SLOTS_H
#define UI_PANELS_SLOTS_H

#include "ui/view/view.h"

/*
 * A cluster's name and bar on line y of a box; shares of another set are dim,
 * and *age_s becomes their age where that is more.
 */
void slots_draw(struct canvas *c, const struct view *v, int y, unsigned cluster,
		double *age_s);

/* "slots, estimate, 8 s ago" */
void slots_note(const struct view *v, double age_s, struct buf *b);

/* The four words in their colours; with their meanings. The next line. */
int slots_draw_words(struct canvas *c, int y);
int slots_draw_meanings(struct canvas *c, int y);

/* Why no cluster has shares, where it is the same for all; else NULL. */
const char *slots_missing(const struct view *v);

/* That, with the key that helps; the next line. */
int slots_draw_missing(struct canvas *c, const struct view *v, int y,
		       const char *why);

#endif
