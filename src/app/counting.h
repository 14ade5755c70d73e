/* Which events are counted: presets, chosen events, rotation, IPC mode. */
#ifndef APP_COUNTING_H
#define APP_COUNTING_H

#include "app/refused.h"
#include "base/err.h"
#include "model/event.h"
#include "options/options.h"

#include <stdbool.h>
#include <stdint.h>

struct app;
struct ui_events;

struct counting {
	struct eventset set; /* wanted: counted, or to be taken again */
	struct err why;      /* it is not counted, as of the start */
	bool ipc;            /* the person chose IPC mode */
	bool retake; /* what a stop gave back, when the kernel lets us */
	uint32_t possible,
		preset_refused; /* presets, a bit each: as ui_status */
	struct refused refused; /* events, for the picker */
};

/* Presets that take turns. */
struct rotation {
	bool on;
	unsigned n, at;
	int preset[OPTIONS_ROTATE_MAX];
	char name[160]; /* "overview, branch" */
};

/*
 * What the options ask for, or what can be had of it: then counting.why says
 * what cannot, and the fixed pair has a baseline. False and *e: nothing works.
 */
bool counting_start(struct app *a, struct err *e);

/* The same events by name, on a machine that has other CPUs now. */
void counting_again(struct app *a);

/*
 * Between two frames, by a key. True: the counters count something else from
 * now on. What could not be done is in the news.
 */
bool counting_swap(struct app *a, int preset);
bool counting_toggle_ipc(struct app *a);

/* Counts events chosen one by one; named and kept where a name is given. */
bool counting_events(struct app *a, const struct ui_events *chosen);

/* Gives the counters back for a while; was anything counted with them? */
bool counting_release(struct app *a);
/* After that: takes them again, and notes where that has to wait. */
void counting_resume(struct app *a, bool full);
void counting_retake(struct app *a);

/* Events that the system refuses, as far as is known: a bit for each. */
const uint64_t *counting_refused(struct app *a);

void rotation_toggle(struct app *a);
/* The next set, if presets take turns. */
void rotation_turn(struct app *a);

#endif
