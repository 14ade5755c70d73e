/* ktop itself: a source, a monitor, outputs and a screen, wired together. */
#ifndef APP_APP_H
#define APP_APP_H

#include "options/options.h"

/*
 * Measures until told to stop, or while the command of `exec` runs; prints what
 * went wrong; the exit code.
 */
int app_run(const struct options *o);

#endif
