/* From a source's reading to a frame, and how the readings fare. */
#ifndef APP_SAMPLING_H
#define APP_SAMPLING_H

#include "app/doubt.h"
#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct app;
struct eventset;
struct monitor;
struct sample;

/* What a reading came to. */
enum sampled {
	SAMPLED_NOTHING, /* it was a baseline */
	SAMPLED_FRAME,
	SAMPLED_FAILED, /* the next one may succeed */
	SAMPLED_GONE,   /* none will: sampling.why says why */
	SAMPLED_END     /* of the recording */
};

struct sampling {
	struct sample *sample;
	uint64_t frames;
	bool worked;     /* a reading has come */
	uint64_t failed; /* readings in a row that did not */
	bool gone;       /* and no other will come */
	struct err why;  /* the last one failed */
	bool counted;    /* anything, in some frame */
	bool held;       /* others had all counters, in some frame */
	char told[256];  /* of the source's notices, the last */
	bool doubt_told; /* that counts cannot be true */
	struct dead_told dead_told;
};

/* A sample and a monitor for the source that is open. */
bool sampling_open(struct app *a, struct err *e);
void sampling_close(struct app *a);

/* Another monitor for it. NULL and *e. */
struct monitor *sampling_monitor(const struct app *a, struct err *e);

/* One reading; a->frame is the frame that it makes. */
enum sampled sampling_take(struct app *a);

/* A reading that is only a baseline, after program(). */
void sampling_baseline(struct app *a);

/* A set chosen by events is about to come into force: its rates are metrics. */
void sampling_rates_follow(struct app *a, const struct eventset *set);

/*
 * Is an interval long enough for so many CPUs? Each reading interrupts every
 * one of them. False and *e: not without --force.
 */
bool sampling_period_ok(const struct app *a, int64_t period_ns, struct err *e);

#endif
