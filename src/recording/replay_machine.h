/* The machine that a recording's first frame and names speak of. */
#ifndef RECORDING_REPLAY_MACHINE_H
#define RECORDING_REPLAY_MACHINE_H

#include "model/event.h"
#include "model/topology.h"
#include "recording/recording.h"
#include "source/source.h"

/* Kinds, clusters and CPUs out of rows, those of a frame; NULL and *e. */
struct topology *replay_topology(const struct recording_frame *f,
				 const char *chip, struct err *e);

/* What was counted in a frame. */
enum source_mode replay_mode(const struct recording_frame *f);

/*
 * Events: all that ktop knows of the chip, and those that the recording has
 * named so far. Those that it names later are known to the sets alone.
 */
struct replay_events {
	struct catalog catalog;
	struct event *event; /* catalog.event, writable */
	struct event *late[RECORDING_NAMES_MAX];
	unsigned nlate;
	const struct event *of[RECORDING_NAMES_MAX]; /* by recording_name */
};

/*
 * first: the frame that the topology was made of. On Linux the fixed pair
 * stands for the events that metrics divide by, unless user mode is counted.
 */
bool replay_events_init(struct replay_events *v, const struct recording *r,
			const struct recording_frame *first, struct err *e);
void replay_events_done(struct replay_events *v);

/* The frame's set, its counters by the rule of placement. */
bool replay_set(struct replay_events *v, const struct recording *r,
		const struct recording_frame *f, struct eventset *out,
		struct err *e);

#endif
