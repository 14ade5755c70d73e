/* Screens as bytes for the terminal that terminfo describes, row by row. */
#ifndef UI_TERM_TTY_WRITE_H
#define UI_TERM_TTY_WRITE_H

#include "ui/draw/canvas.h"
#include "ui/draw/choices.h"
#include "ui/term/term_known.h"
#include "ui/term/tty_line.h"
#include "ui/theme/theme.h"

#include <stdbool.h>

struct tty_writer;

/*
 * By the terminal's entry; NULL: there is none of that name, it cannot place
 * text, or memory is short. One at a time.
 */
struct tty_writer *tty_writer_open(const char *term, enum ui_color color,
				   const struct term_env *env);
void tty_writer_close(struct tty_writer *w); /* NULL is fine */

/* A string of the open entry; NULL: it has none. */
const char *tty_capability(const char *name);

bool tty_writer_colors(const struct tty_writer *w);

/* Forgets what is shown, as the next does; false when memory is short. */
bool tty_writer_resize(struct tty_writer *w, int width, int height);
void tty_writer_forget(struct tty_writer *w);

/* Adds what differs from what is shown; false when memory is short. */
bool tty_writer_show(struct tty_writer *w, const struct canvas *c,
		     const struct theme *theme, struct tty_bytes *out);

/* The alternate screen without a cursor, and back. h: rows. */
void tty_writer_enter(struct tty_bytes *out);
void tty_writer_leave(struct tty_bytes *out, int h);

#endif
