/* Arranges and draws all panels. */
#ifndef UI_PICTURE_H
#define UI_PICTURE_H

#include "ui/view/view.h"

/* Passes the frame and status to the view, chooses columns, makes the layout,
 * sorts and filters. Allocates only if the number of CPUs grows. False and *e:
 * out of memory. */
bool picture_arrange(struct view *v, const struct frame *f,
		     const struct ui_status *s, int w, int h, struct err *e);

void picture_draw(struct view *v, struct canvas *c);

#endif
