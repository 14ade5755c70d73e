/* What a person may choose of a terminal that shows it wrong by itself. */
#ifndef UI_TERM_CHOICE_H
#define UI_TERM_CHOICE_H

enum ui_color { UI_COLOR_AUTO, UI_COLOR_ALWAYS, UI_COLOR_NEVER };
enum ui_glyphs {
	UI_GLYPHS_AUTO,
	UI_GLYPHS_ASCII,
	UI_GLYPHS_BLOCK,
	UI_GLYPHS_BRAILLE
};

#endif
