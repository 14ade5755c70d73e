/* The config file has lines "name = value" and sections [preset NAME]. */
#ifndef OPTIONS_CONFIG_H
#define OPTIONS_CONFIG_H

#include "options/options.h"
#include "options/user.h"

enum { CONFIG_MAX = 32768, CONFIG_PATH_MAX = 1024, CONFIG_LINE_SIZE = 1024 };

/* Path of the config file: $XDG_CONFIG_HOME/ktop/ktoprc or
 * ~/.config/ktop/ktoprc, under sudo of the caller. False: no home folder. */
bool config_path(char path[CONFIG_PATH_MAX]);

/* Reads `path` (NULL: the default, which may be missing) as the caller; text
 * ends with NUL. *roots (may be NULL): only root can write the file. */
bool config_read(const char *path, char text[CONFIG_MAX], bool *roots,
		 struct err *e);

/* Writes as the caller; creates folders. On failure the old file stays. */
bool config_write(const char *path, const char *text, struct err *e);

/* Sets options from text. False and *e, with path, line and column. */
bool config_parse(struct options *o, const char *path, const char *text,
		  struct err *e);

/* Sets the option's line; value NULL removes it. False: too long. */
bool config_set(char text[CONFIG_MAX], const char *name, const char *value);

bool config_has(const char *text, const char *name);

int config_print(const struct options *o);

/* Appends a section [preset NAME]. False: text is too long. */
bool config_add_preset(char text[CONFIG_MAX], const struct user *u, int preset);

#endif
