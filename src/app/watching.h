/* Processes: when they are read, and how their readings fare. */
#ifndef APP_WATCHING_H
#define APP_WATCHING_H

#include "base/err.h"
#include "model/process.h"

#include <stdbool.h>
#include <stddef.h>

struct app;
struct frame;

struct watching {
	struct process_reading reading;
	char told[sizeof((struct err *)NULL)->text]; /* why it failed, last */
	char notice[sizeof((struct process_reading *)NULL)->notice];
	char tracing[PROCESS_TRACED_WHY + 32]; /* how events fare, last told */
	bool restart_told;
	bool wished;    /* at the last reading of the cores */
	bool shown;     /* as watching_begins saw it last */
	bool hurried;   /* so watching_hurries said, since then */
	int32_t opened; /* with shown; -1: none */
	bool counted;   /* some process had counts */
};

/*
 * Processes were asked for: can the source tell of them? False and *e: not.
 * Where only the config file asks it is told, and all else goes on.
 */
bool watching_check(struct app *a, struct err *e);
void watching_close(struct app *a);

/* After monitor_feed, which made f (or NULL): the same moment's processes, if
 * anybody wants them. */
void watching_take(struct app *a, const struct frame *f);

/*
 * Has a key brought processes, or the threads of one, on the screen since the
 * last call?
 */
bool watching_begins(struct app *a);

/*
 * Nothing is known of any before its second reading: is this the first, with
 * somebody who looks on?
 */
bool watching_hurries(struct app *a);

#endif
