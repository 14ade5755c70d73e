/* The config file has lines "name = value" and sections [preset NAME]. */
#ifndef OPTIONS_CONFIG_H
#define OPTIONS_CONFIG_H

#include "options/options.h"
#include "options/user.h"

enum { CONFIG_MAX = 32768, CONFIG_PATH_MAX = 1024, CONFIG_LINE_SIZE = 1024 };

/* Path of the config file: $XDG_CONFIG_HOME/ktop/ktoprc or
 * ~/.config/ktop/ktoprc, under sudo of the caller. False: none, or too long. */
bool config_path(char path[CONFIG_PATH_MAX]);

/* Reads `path` with the caller's rights. NULL: the default; if it is missing,
 * or its folder is closed to the caller, text is "". *roots (may be NULL) is
 * set if a file is opened; true: only root can write it. False and *e: an
 * error. */
bool config_read(const char *path, char text[CONFIG_MAX], bool *roots,
		 struct err *e);

/* Writes the file (NULL: the default path) with the caller's rights and creates
 * its folders. False and *e: the old file is unchanged. */
bool config_write(const char *path, const char *text, struct err *e);

/* Sets options from text; messages name `path`. False and *e: an error. */
bool config_parse(struct options *o, const char *path, const char *text,
		  struct err *e);

/* Replaces or adds the option's line; value NULL removes it. False: too long.
 */
bool config_set(char text[CONFIG_MAX], const char *name, const char *value);

bool config_has(const char *text, const char *name);

int config_print(const struct options *o);

/* Appends the user's preset as a section. False: the text would be too long. */
bool config_add_preset(char text[CONFIG_MAX], const struct user *u, int preset);

#endif
