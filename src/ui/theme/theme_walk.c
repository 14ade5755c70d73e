#include "ui/theme/theme.h"

#include "base/buf.h"
#include "base/parse.h"
#include "ui/draw/keycode.h"

#include <stdlib.h>
#include <string.h>

/* Theme for $COLORFGBG ("15;0", "0;default;15"), which rxvt, konsole and others
 * set; the last number is the background. NULL: unset or unclear. */
static const char *
theme_by_environment(void)
{
	const char *colors = getenv("COLORFGBG");
	const char *last = colors != NULL ? strrchr(colors, ';') : NULL;
	uint64_t ground;

	if (last == NULL || !parse_u64(last + 1, 15, &ground))
		return NULL;
	return ground == 7 || ground == 15  ? "light"
	       : ground <= 6 || ground == 8 ? "dark"
					    : NULL;
}

static const char *
theme_by_ground(uint32_t rgb)
{
	return theme_contrast(rgb, 0x000000) > theme_contrast(rgb, 0xffffff)
		       ? "light"
		       : "dark";
}

static void
walk_copy_name(char *to, size_t size, const char *from)
{
	struct buf b = buf_over(to, size);

	buf_str(&b, from);
	buf_cstr(&b);
}

bool
theme_walk_start(struct theme_walk *w, const char *name, struct err *e)
{
	const char *wanted = name != NULL ? name : getenv("KTOP_THEME");

	theme_default(&w->theme);
	w->guessed = wanted == NULL || wanted[0] == 0 ||
		     strcmp(wanted, THEME_AUTO) == 0;
	if (w->guessed)
		wanted = theme_names[0];
	walk_copy_name(w->spec, sizeof w->spec, wanted);
	if (theme_load(wanted, &w->theme, e))
		return true;
	walk_copy_name(w->spec, sizeof w->spec, theme_names[0]);
	return false;
}

void
theme_walk_guess(struct theme_walk *w, const uint32_t *ground)
{
	const char *name = ground != NULL ? theme_by_ground(*ground)
					  : theme_by_environment();

	if (w->guessed && name != NULL && theme_load(name, &w->theme, NULL))
		walk_copy_name(w->spec, sizeof w->spec, name);
}

static void
walk_show_theme(struct theme_walk *w)
{
	const char *name = w->list.name[w->at];
	struct err e = { .code = ERR_NONE };

	w->wrong[0] = 0;
	if (theme_load(name, &w->theme, &e)) {
		walk_copy_name(w->spec, sizeof w->spec, name);
		w->guessed = false;
	} else {
		walk_copy_name(w->wrong, sizeof w->wrong, e.text);
	}
}

static void
walk_go(struct theme_walk *w, long from, int by)
{
	long last = (long)w->list.n - 1, to = from + by;

	w->at = (unsigned)(to < 0 ? 0 : to > last ? last : to);
	walk_show_theme(w);
}

static void
walk_turn(struct theme_walk *w, unsigned step)
{
	walk_go(w, (long)((w->at + step) % w->list.n), 0);
}

void
theme_walk_open(struct theme_walk *w)
{
	theme_list_make(&w->list);
	w->before = w->theme;
	w->before_guessed = w->guessed;
	walk_copy_name(w->before_spec, sizeof w->before_spec, w->spec);
	w->top = 0;
	/* If the list lacks the current theme, show the first. */
	w->at = w->list.n - 1;
	for (unsigned i = 0; i < w->list.n; i++)
		if (strcmp(w->list.name[i], w->spec) == 0)
			w->at = i;
	walk_turn(w, 1);
}

enum theme_walk_end
theme_walk_key(struct theme_walk *w, int key)
{
	enum { PAGE = 8 };
	static const struct {
		int key, letter, by;
		bool from_begin;
	} step[] = { { KEY_DOWN_ARROW, 'j', 1, false },
		     { KEY_UP_ARROW, 'k', -1, false },
		     { KEY_PAGE_DOWN, KEY_PAGE_DOWN, PAGE, false },
		     { KEY_PAGE_UP, KEY_PAGE_UP, -PAGE, false },
		     { KEY_TO_HOME, 'g', 0, true },
		     { KEY_TO_END, 'G', THEME_LIST_MAX, true } };

	if (key >= KEY_MOUSE_CLICK)
		key = (key & KEY_MOUSE_MASK) == KEY_MOUSE_UP ? KEY_UP_ARROW
		      : (key & KEY_MOUSE_MASK) == KEY_MOUSE_DOWN
			      ? KEY_DOWN_ARROW
			      : KEY_SIZE;
	switch (key) {
	case KEY_ESCAPE:
		w->theme = w->before;
		w->guessed = w->before_guessed;
		walk_copy_name(w->spec, sizeof w->spec, w->before_spec);
		return THEME_WALK_CLOSES;
	case KEY_RETURN:
		return THEME_WALK_CLOSES;
	case 'q':
	case 'w': /* w saves the settings, with the theme */
	case KEY_CTRL_C:
	case KEY_CTRL_L:
	case KEY_CTRL_Z:
	case KEY_FUNCTION_10:
		return THEME_WALK_OTHERS;
	case 'T':
	case ' ':
		walk_turn(w, 1);
		return THEME_WALK_STAYS;
	}
	for (unsigned i = 0; i < sizeof step / sizeof *step; i++)
		if (key == step[i].key || key == step[i].letter)
			walk_go(w, step[i].from_begin ? 0 : (long)w->at,
				step[i].by);
	return THEME_WALK_STAYS;
}
