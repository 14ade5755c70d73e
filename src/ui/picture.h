/* All panels together: which rows they want, and how they are drawn. */
#ifndef UI_PICTURE_H
#define UI_PICTURE_H

#include "ui/view/view.h"

/*
 * Takes the frame and status of this draw, chooses columns, lays the screen
 * out, sorts and filters. Allocates only when the machine has more CPUs than
 * ever before.
 */
bool picture_arrange(struct view *v, const struct frame *f,
		     const struct ui_status *s, int w, int h, struct err *e);

/* Draws everything: the panels, then the overlay. */
void picture_draw(struct view *v, struct canvas *c);

#endif
