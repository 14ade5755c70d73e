/* The tick: the one place that sleeps, speaks, suspends, draws and stops. */
#ifndef APP_LOOP_H
#define APP_LOOP_H

#include "base/err.h"
#include "base/ticker.h"

#include <signal.h>
#include <stdbool.h>

struct app;

struct loop {
	sigset_t wait;  /* mask while asleep */
	uint64_t files; /* limit on open ones that ktop was started with */
	struct ticker ticker;
	bool stop;
	bool changed;     /* by keys, and not drawn yet */
	bool holding;     /* --hold: nothing more will come */
	int code;         /* exit code */
	struct err error; /* said after the terminal is back */
};

/* Until there is a reason to stop; then loop.code and loop.error say which. */
void loop_run(struct app *a);

/* Says what news there are. */
void loop_speak(struct app *a);

/* After the source is closed: a moment for a slow reader of the outputs. */
void loop_drain(struct app *a);

#endif
