/* The machine has other CPUs now: the source is renewed, and all goes on. */
#ifndef APP_RENEWAL_H
#define APP_RENEWAL_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

struct app;

struct renewal {
	int64_t opened_ns; /* the source was, for other CPUs; 0: at the start */
	int64_t wait_ns;   /* until it is tried again; 0: it went well */
	unsigned machines; /* how often that was */
};

enum renewed {
	RENEWED_NOT,
	RENEWED_LATER, /* it failed and is tried again */
	RENEWED_WELL,
	RENEWED_GONE /* nothing goes on: *e */
};

/*
 * Between two ticks: renews the source where it says that its machine has
 * other CPUs now, at most once a second. Everything goes on: the screen, the
 * recordings, what is counted. What fails is tried again later and later.
 */
enum renewed renewal_of_machine(struct app *a, struct err *e);

/* The same before a frame of a recording that has other CPUs. */
enum renewed renewal_of_recording(struct app *a, struct err *e);

#endif
