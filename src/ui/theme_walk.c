#include "ui/theme_walk.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

/*
 * COLORFGBG ("15;0", "0;default;15") is set by rxvt, konsole and others; its
 * last number is the background among the 16.
 */
static bool
terminal_is_light(void)
{
	const char *colors = getenv("COLORFGBG");
	const char *last = colors != NULL ? strrchr(colors, ';') : NULL;

	return last != NULL &&
	       (strcmp(last, ";7") == 0 || strcmp(last, ";15") == 0);
}

bool
theme_walk_start(struct theme *t, unsigned *at, const char *name, struct err *e)
{
	const char *wanted = name != NULL ? name : getenv("KTOP_THEME");

	theme_default(t);
	if (wanted == NULL || wanted[0] == 0)
		wanted = terminal_is_light() ? "light" : "default";
	/* One that is not in the list stands behind its end. */
	while (theme_names[*at] != NULL &&
	       strcmp(theme_names[*at], wanted) != 0)
		++*at;
	/* A guess must not fail where no theme file is installed. */
	return theme_load(wanted, t, e) ||
	       (name == NULL && strcmp(wanted, "light") == 0);
}

void
theme_walk_next(struct theme *t, unsigned *at, char *text, unsigned size)
{
	struct err e = { .code = ERR_NONE };
	struct buf b = buf_over(text, size);

	/* Themes that are not installed are passed over; bad ones are said. */
	for (unsigned tries = 0; tries < 32; tries++) {
		if (theme_names[*at] == NULL || theme_names[++*at] == NULL)
			*at = 0;
		if (theme_load(theme_names[*at], t, &e)) {
			buf_str(&b, "theme ");
			buf_str(&b, theme_names[*at]);
			break;
		}
		if (strstr(e.text, "not found") == NULL) {
			buf_str(&b, e.text);
			break;
		}
	}
	(void)buf_cstr(&b);
}
