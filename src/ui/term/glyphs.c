#include "ui/term/glyphs.h"

#include "ui/term/term_known.h"

#include <langinfo.h>
#include <string.h>

enum canvas_glyphs
glyphs_choose(enum ui_glyphs wanted)
{
	struct term_env env;

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
	if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
		return CANVAS_ASCII;
	term_env(&env);
	return term_draws(&env);
}
