/* Job control: stopping as a shell's job does, and going on. */
#ifndef APP_JOB_H
#define APP_JOB_H

#include "base/err.h"

#include <stdbool.h>

struct app;

/*
 * Before anything is counted: a screen waits for its terminal as any program
 * does, stopped. False and *e: no shell is there to put it in front.
 */
bool job_await_front(const struct app *a, struct err *e);

/* Has another job of the shell the screen's terminal? */
bool job_is_behind(const struct app *a);

/*
 * Stops the process until it is continued and, if it has a screen, in front.
 * The number of a signal that ended it meanwhile, with the screen closed; or 0.
 */
int job_stop(struct app *a);

#endif
