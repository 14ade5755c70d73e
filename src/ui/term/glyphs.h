/* Which signs a terminal can show, by locale and TERM. */
#ifndef UI_TERM_GLYPHS_H
#define UI_TERM_GLYPHS_H

#include "ui/draw/canvas.h"
#include "ui/term/choice.h"

/*
 * AUTO: ASCII where the locale is not UTF-8 or the terminal has few glyphs
 * (linux, vt100), else blocks, and braille in charts.
 */
enum canvas_glyphs glyphs_choose(enum ui_glyphs wanted);

#endif
