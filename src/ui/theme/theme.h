/* Colours and attributes of the roles, read from themes/NAME.theme. */
#ifndef UI_THEME_THEME_H
#define UI_THEME_THEME_H

#include "base/err.h"
#include "ui/draw/role.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum theme_depth { /* number of colours of the terminal */
		   THEME_MONO,
		   THEME_16,
		   THEME_256,
		   THEME_TRUE
};

enum {
	THEME_BOLD = 1 << 0,
	THEME_DIM = 1 << 1,
	THEME_UNDERLINE = 1 << 2,
	THEME_REVERSE = 1 << 3
};

struct theme_color {
	bool set;
	uint32_t rgb; /* 0xRRGGBB */
	int x256;
	int x16; /* -1: the terminal's default */
};

struct theme_style {
	struct theme_color fg, bg;
	unsigned attrs;
	unsigned mono;
};

struct theme {
	char name[64];
	char path[1024]; /* the file's path; "" for the built-in theme */
	bool light;
	bool dark; /* neither `light` nor `dark`: for all terminals */
	struct theme_color background; /* to calculate contrast only */
	struct theme_style style[ROLE_COUNT];
	struct theme_color fade; /* start of gradients */
	struct theme_color heat[3];
};

/* Colours of a cell: 0xRRGGBB or an index, by depth; -1: the default. */
struct theme_paint {
	int fg, bg;
	unsigned attrs;
};

void theme_default(struct theme *out);

/* Parses len bytes of a theme over *base (NULL: an empty theme). False: *e has
 * file and line of the error, *out is unchanged. out may be base. */
bool theme_parse(const char *text, size_t len, const char *path,
		 const struct theme *base, struct theme *out, struct err *e);

/* Loads a theme. A spec with a slash is a path; else spec.theme is searched in
 * $XDG_CONFIG_HOME/ktop/themes (or ~/.config), ../share/ktop/themes and themes
 * of the program's folder, the installed folder, ./themes. "default" is also
 * built in. False: *out is unchanged. */
bool theme_load(const char *spec, struct theme *out, struct err *e);

/* Themes in list order, ended by NULL. Other shipped themes follow by name,
 * then the user's. */
extern const char *const theme_names[];

enum { THEME_LIST_MAX = 64, THEME_NAME_SIZE = 40 };

struct theme_list {
	unsigned n;
	char name[THEME_LIST_MAX][THEME_NAME_SIZE];
};
void theme_list_make(struct theme_list *l);

struct theme_paint theme_paint(const struct theme *t, enum theme_depth depth,
			       enum role role, enum role under, unsigned step);

/* Index (16 to 255) of the nearest colour of a 256-colour terminal. */
int theme_nearest_256(uint32_t rgb);

/* Index of the nearest colour of xterm's 16; -1: no colour has the name. */
int theme_nearest_16(uint32_t rgb);
int theme_find_16(const char *name);

uint32_t theme_rgb_of_256(int i);

/* False if ROLE_TD_USEFUL has no colours, as in a theme without colours. */
bool theme_has_colors(const struct theme *t);

/* Contrast ratio by WCAG 2: 1 to 21. */
double theme_contrast(uint32_t a, uint32_t b);

enum { THEME_SPEC_SIZE = 1024, THEME_WRONG_SIZE = 400 };

struct theme_walk {
	struct theme theme;
	char spec[THEME_SPEC_SIZE]; /* name or path of `theme` */
	struct theme_list list;
	unsigned at, top;
	struct theme before;
	char before_spec[THEME_SPEC_SIZE];
	bool guessed, before_guessed; /* the user did not choose the theme */
	char wrong[THEME_WRONG_SIZE]; /* error of the theme `at`, or "" */
};

/* Theme name that makes ktop choose by the terminal's background. */
#define THEME_AUTO "auto"

/* Loads the theme `name`, or if NULL that of $KTOP_THEME. If unset or "auto":
 * loads the default theme and sets `guessed`. False: *w has the default theme.
 */
bool theme_walk_start(struct theme_walk *w, const char *name, struct err *e);

/* If `guessed`, loads a theme for the terminal's background `ground`; NULL: for
 * $COLORFGBG. Does nothing if the theme is not installed. */
void theme_walk_guess(struct theme_walk *w, const uint32_t *ground);

/* Reads the list of themes and applies the theme after the current one. */
void theme_walk_open(struct theme_walk *w);

enum theme_walk_end {
	THEME_WALK_STAYS,
	THEME_WALK_CLOSES,
	THEME_WALK_OTHERS /* the list has no action for the key */
};

/* Handles a key in the list. A theme with an error is not applied. */
enum theme_walk_end theme_walk_key(struct theme_walk *w, int key);

#endif
