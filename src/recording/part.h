/* The part of a recording given by --from, --to and --mark. */
#ifndef RECORDING_PART_H
#define RECORDING_PART_H

#include "recording/index.h"
#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>

struct part_bound {
	bool given, wall; /* wall: a date; else a time since the start */
	int64_t ns;
};

struct part {
	/* [0]: --from and --to, [1]: times in --mark. */
	struct part_bound from[2], to[2];
	char begin[RECORDING_NOTE_MAX], end[RECORDING_NOTE_MAX]; /* "": open */
	bool marks;
	bool began, ended; /* the marker was found */
	bool timed;        /* uses times, as in replay_reading: */
	int64_t begin_ns, end_ns;
	bool begun; /* a frame was read; the first began at */
	int64_t first_ns;
	unsigned seen;
	char list[160]; /* texts of markers, as many as fit */
	unsigned listed;
};

/* Options may be NULL. */
bool part_parse(struct part *p, const char *from, const char *to,
		const char *mark, struct err *e);

/* Finds the times of markers in the index, as their rows may come late;
 * "start", "end" and times are no markers. x NULL: the rows' order decides. */
void part_find_marks(struct part *p, const struct recording_index *x);

enum part_place { PART_BEFORE, PART_IN, PART_AFTER };

/* now_ns: the frame's end. Call for each frame, in order. */
enum part_place part_place_frame(struct part *p,
				 const struct recording_frame *f,
				 int64_t now_ns);

/* Call at the end. False and *e: a marker was not found. */
bool part_check(const struct part *p, struct err *e);

/* *plain false: every row catches up, and this is the shortest. */
int64_t recording_frame_interval(const struct recording_frame *f, bool *plain);

#endif
