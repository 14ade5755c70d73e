/* A panel of one line that is not drawn while all that it depends on is the
 * same. */
#ifndef UI_PANELS_KEPT_H
#define UI_PANELS_KEPT_H

#include "ui/view/kept.h"

/*
 * Puts the line as it was drawn last into the window, with its keys to click,
 * where the n bytes at key are those of then; false: it has to be drawn. In key
 * is all that it is drawn from, but for the window and the canvas's glyphs.
 */
bool kept_show(struct canvas *c, const struct view *v, enum kept_which which,
	       const void *key, size_t n);

/* Keeps what was just drawn; hits: how many there were before. */
void kept_take(const struct canvas *c, const struct view *v,
	       enum kept_which which, const void *key, size_t n, unsigned hits);

#endif
