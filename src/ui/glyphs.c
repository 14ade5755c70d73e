#include "ui/glyphs.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>

enum canvas_glyphs
glyphs_choose(enum ui_glyphs wanted)
{
	const char *term = getenv("TERM");

	switch (wanted) {
	case UI_GLYPHS_ASCII:
		return CANVAS_ASCII;
	case UI_GLYPHS_BLOCK:
		return CANVAS_BLOCK;
	case UI_GLYPHS_BRAILLE:
		return CANVAS_BRAILLE;
	case UI_GLYPHS_AUTO:
		break;
	}
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0 || term == NULL ||
	    strcmp(term, "linux") == 0 || strncmp(term, "vt", 2) == 0)
		return CANVAS_ASCII;
	return CANVAS_BRAILLE;
}
