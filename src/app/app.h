/* ktop itself: a source, a monitor, outputs and a screen, wired together. */
#ifndef APP_APP_H
#define APP_APP_H

#include "options/options.h"

/* Measures until told to stop; prints what went wrong; the exit code. */
int app_run(const struct options *o);

/* The same while a command runs: ktop run. */
int app_run_command(const struct options *o);

#endif
