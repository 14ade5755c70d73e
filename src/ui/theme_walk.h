/* Which theme to begin with, and the next one of key T. */
#ifndef UI_THEME_WALK_H
#define UI_THEME_WALK_H

#include "base/err.h"
#include "ui/theme.h"

#include <stdbool.h>

/*
 * The theme `name`, else that of $KTOP_THEME, else one for the terminal's
 * background. *at is its place in theme_names; behind the end for others.
 */
bool theme_walk_start(struct theme *t, unsigned *at, const char *name,
		      struct err *e);

/* The next one that is installed; a sentence about it goes to text. */
void theme_walk_next(struct theme *t, unsigned *at, char *text, unsigned size);

#endif
