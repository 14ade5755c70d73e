/* The part of a recording given by --from, --to and --mark. */
#ifndef RECORDING_PART_H
#define RECORDING_PART_H

#include "recording/index.h"
#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>

struct part_bound {
	bool given, wall; /* wall: since 1970; else since part.first_ns */
	int64_t ns;
};

struct part {
	/* [0]: bounds of --from and --to; [1]: times given in --mark. */
	struct part_bound from[2], to[2];
	char begin[RECORDING_NOTE_MAX], end[RECORDING_NOTE_MAX]; /* "": none */
	bool marks;
	bool began, ended;
	bool timed; /* the times of markers are known from an index */
	int64_t begin_ns, end_ns;
	bool begun; /* first_ns, when the first frame began, is known */
	int64_t first_ns;
	unsigned seen;
	char list[160];
	unsigned listed;
};

/* Options that are not given are NULL. False and *e: invalid. */
bool part_parse(struct part *p, const char *from, const char *to,
		const char *mark, struct err *e);

/* Takes the times of markers from the index, because a marker's row can be
 * late. If x is NULL or incomplete, the order of rows decides. */
void part_find_marks(struct part *p, const struct recording_index *x);

enum part_place { PART_BEFORE, PART_IN, PART_AFTER };

/* Call for each frame, in order. now_ns: the time of the frame's end. */
enum part_place part_place_frame(struct part *p,
				 const struct recording_frame *f,
				 int64_t now_ns);

/* Call after the last frame. False and *e: a marker was not found. */
bool part_check(const struct part *p, struct err *e);

/* In ns. *plain false: the shortest, as all rows include missed intervals. */
int64_t recording_frame_interval(const struct recording_frame *f, bool *plain);

#endif
