/* Arranges and draws all panels. */
#ifndef UI_PICTURE_H
#define UI_PICTURE_H

#include "ui/view/view.h"

/* Updates the view for the frame and the status, and makes the layout for w x h
 * cells. False and *e: out of memory. */
bool picture_arrange(struct view *v, const struct frame *f,
		     const struct ui_status *s, int w, int h, struct err *e);

void picture_draw(struct view *v, struct canvas *c);

#endif
