/* Colours and attributes of the roles, read from themes/NAME.theme. */
#ifndef UI_THEME_THEME_H
#define UI_THEME_THEME_H

#include "base/err.h"
#include "ui/draw/role.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum theme_depth { /* what the terminal can show */
		   THEME_MONO,
		   THEME_16,
		   THEME_256,
		   THEME_TRUE
};

enum { /* attributes */
       THEME_BOLD = 1 << 0,
       THEME_DIM = 1 << 1,
       THEME_UNDERLINE = 1 << 2,
       THEME_REVERSE = 1 << 3
};

struct theme_color {
	bool set;     /* false: the terminal's own */
	uint32_t rgb; /* 0xRRGGBB */
	int x256;     /* 0 to 255 */
	int x16;      /* 0 to 15, -1: the terminal's own */
};

struct theme_style {
	struct theme_color fg, bg;
	unsigned attrs;
	unsigned mono; /* attributes without colours */
};

struct theme {
	char name[64];   /* as the file says */
	char path[1024]; /* where it was read; "" for the built-in one */
	bool light;      /* meant for light terminals */
	bool dark;       /* meant for dark ones; neither: for any */
	struct theme_color background; /* stated, for contrast; not painted */
	struct theme_style style[ROLE_COUNT];
	struct theme_color fade;    /* where roles that fade begin */
	struct theme_color heat[3]; /* low, middle, high */
};

/* A cell's colours for one depth: fg, bg as 0xRRGGBB, an index, or -1. */
struct theme_paint {
	int fg, bg;
	unsigned attrs;
};

/* themes/default.theme, as it was when the program was built. */
void theme_default(struct theme *out);

/*
 * Reads len bytes of a theme over *base (what the text leaves out stays as
 * there; NULL: nothing). On a mistake false, *e with file and line, and *out
 * untouched. out may be base.
 */
bool theme_parse(const char *text, size_t len, const char *path,
		 const struct theme *base, struct theme *out, struct err *e);

/*
 * By path when spec has a slash, else spec.theme in
 * $XDG_CONFIG_HOME/ktop/themes (or ~/.config), ../share/ktop/themes and
 * themes of the program's own folder, the installed folder, ./themes;
 * "default" is built in as the last resort. A bad file leaves *out as it was.
 */
bool theme_load(const char *spec, struct theme *out, struct err *e);

/*
 * The order of the list; NULL ends. A shipped theme that is not here comes
 * behind these, by its name, and the person's own behind that.
 */
extern const char *const theme_names[];

enum { THEME_LIST_MAX = 64, THEME_NAME_SIZE = 40 };

/* The themes that are there by name: shipped ones first, then the person's. */
struct theme_list {
	unsigned n;
	char name[THEME_LIST_MAX][THEME_NAME_SIZE];
};
void theme_list_make(struct theme_list *l);

/* What a cell of that role, background and step looks like. */
struct theme_paint theme_paint(const struct theme *t, enum theme_depth depth,
			       enum role role, enum role under, unsigned step);

/* The nearest of the 240 fixed colours of a 256-colour terminal. */
int theme_nearest_256(uint32_t rgb);

/* The nearest of the 16 as xterm shows them; one by its name, or -1. */
int theme_nearest_16(uint32_t rgb);
int theme_find_16(const char *name);

/* What colour index i (16 to 255) is. */
uint32_t theme_rgb_of_256(int i);

/* False where top-down parts and kinds of cores look alike but for attributes.
 */
bool theme_has_colors(const struct theme *t);

/* WCAG 2 contrast of two colours, 1 to 21. */
double theme_contrast(uint32_t a, uint32_t b);

/* ---- the theme in force, and the list of key T, which tries each one live */

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
