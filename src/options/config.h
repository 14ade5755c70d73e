/* The config file: options as "name = value", and own presets. */
#ifndef OPTIONS_CONFIG_H
#define OPTIONS_CONFIG_H

#include "options/options.h"
#include "options/user.h"

enum { CONFIG_MAX = 32768, CONFIG_PATH_MAX = 1024, CONFIG_LINE_SIZE = 1024 };

/*
 * $XDG_CONFIG_HOME/ktop/ktoprc, else ~/.config/ktop/ktoprc; under sudo the
 * home of the person who called it. False when there is no home.
 */
bool config_path(char path[CONFIG_PATH_MAX]);

/*
 * Reads `path` (NULL: the one above, which may be missing) as the caller into
 * text, NUL-terminated. False and *e when it cannot. *roots: root owns it, and
 * nobody else may write to it; not asked where NULL.
 */
bool config_read(const char *path, char text[CONFIG_MAX], bool *roots,
		 struct err *e);

/* Writes it as the caller, making folders: all of it, or the old one stays. */
bool config_write(const char *path, const char *text, struct err *e);

/* Takes the text into *o. Errors name path, line and column. */
bool config_parse(struct options *o, const char *path, const char *text,
		  struct err *e);

/* The option's line gets that value; NULL takes it out. False: no room. */
bool config_set(char text[CONFIG_MAX], const char *name, const char *value);

/* Has the text a line of the option? */
bool config_has(const char *text, const char *name);

/* The command --write-config. */
int config_print(const struct options *o);

/* Appends "[preset NAME]" with its events. False: no room. */
bool config_add_preset(char text[CONFIG_MAX], const struct user *u, int preset);

#endif
