/* A canvas as a picture, in the colours of a theme. */
#ifndef UI_THEME_SVG_H
#define UI_THEME_SVG_H

#include "ui/draw/canvas.h"
#include "ui/theme/theme.h"

#include <stdbool.h>
#include <stdio.h>

struct svg_look {
	const struct theme *theme;
	enum theme_depth depth;
	/* The terminal's own colours, where the theme leaves them. */
	uint32_t ground, ink;
};

/*
 * Writes it as SVG, whole cells as text where they are letters, lines and
 * blocks as shapes, so that no font can part them. What was written tells
 * ferror.
 */
void svg_write(const struct canvas *c, const struct svg_look *look, FILE *out);

#endif
