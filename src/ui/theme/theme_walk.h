/* The theme in force, and the list of key T, which tries each one live. */
#ifndef UI_THEME_THEME_WALK_H
#define UI_THEME_THEME_WALK_H

#include "base/err.h"
#include "ui/theme/theme.h"

#include <stdbool.h>

enum { THEME_SPEC_SIZE = 1024, THEME_WRONG_SIZE = 400 };

struct theme_walk {
	struct theme theme;         /* in force */
	char spec[THEME_SPEC_SIZE]; /* what chooses it: a name or a path */
	/* The list; `before` is what Esc goes back to. */
	struct theme_list list;
	unsigned at, top;
	struct theme before;
	char before_spec[THEME_SPEC_SIZE];
	bool guessed, before_guessed; /* nobody chose it */
	char wrong[THEME_WRONG_SIZE]; /* with the one at the cursor; "" */
};

/* That name leaves the choice to us. */
#define THEME_AUTO "auto"

/*
 * The theme `name`, else that of $KTOP_THEME, else the default: then `guessed`
 * is set, and theme_walk_guess may know better.
 */
bool theme_walk_start(struct theme_walk *w, const char *name, struct err *e);

/*
 * One for the terminal's ground, where nobody chose: by what it answered (NULL:
 * nothing), else by $COLORFGBG. One that is not installed changes nothing.
 */
void theme_walk_guess(struct theme_walk *w, const uint32_t *ground);

/* Reads which themes there are, and shows the one behind that in force. */
void theme_walk_open(struct theme_walk *w);

enum theme_walk_end {
	THEME_WALK_STAYS,
	THEME_WALK_CLOSES, /* kept, or as before */
	THEME_WALK_OTHERS  /* not a key of the list */
};

/* A key while the list is shown. A theme with a mistake changes nothing. */
enum theme_walk_end theme_walk_key(struct theme_walk *w, int key);

#endif
