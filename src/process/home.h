/* Where a person's own files are: config, themes, marks. */
#ifndef PROCESS_HOME_H
#define PROCESS_HOME_H

#include "base/buf.h"

#include <stdbool.h>

/*
 * The home folder of the person. sudo keeps or resets HOME by its policy, so
 * that the passwd file tells there, also after root's rights were given up;
 * elsewhere HOME does, and the passwd file where there is none. NULL: no home.
 */
const char *home_of_user(void);

/*
 * Appends the folder ktop below $variable; below `usual` in the home, such as
 * "/.config". False, and nothing, where that is no absolute path.
 */
bool home_by_variable(const char *variable, struct buf *b);
bool home_by_user(const char *usual, struct buf *b);

#endif
