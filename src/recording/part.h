/* Which part of a recording is meant: --from, --to, --mark. */
#ifndef RECORDING_PART_H
#define RECORDING_PART_H

#include "recording/index.h"
#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>

struct part_bound {
	bool given, wall; /* wall: a date, else a time since the begin */
	int64_t ns;
};

struct part {
	/* Of --from and --to; and of --mark, where that names times. */
	struct part_bound from[2], to[2];
	char begin[RECORDING_NOTE_MAX], end[RECORDING_NOTE_MAX]; /* "": open */
	bool marks;        /* --mark is given */
	bool began, ended; /* the mark has been met */
	bool timed;        /* by their times, as replay_reading has it: */
	int64_t begin_ns, end_ns;
	bool begun; /* a frame was there, and all began at: */
	int64_t first_ns;
	unsigned seen;  /* marks so far */
	char list[160]; /* their texts, as many as fit */
	unsigned listed;
};

/* NULL: not given. */
bool part_parse(struct part *p, const char *from, const char *to,
		const char *mark, struct err *e);

/*
 * Takes the marks' times from the index: a row of one that was named stands
 * where its name had been typed. What is no mark's name may be "start", "end"
 * or a time. Without an index (NULL) the rows' places have to do.
 */
void part_find_marks(struct part *p, const struct recording_index *x);

enum part_place { PART_BEFORE, PART_IN, PART_AFTER };

/*
 * Where a frame is that ended at now_ns, as replay_reading has it. Frames come
 * in order from the first on; the marks of a frame are after it.
 */
enum part_place part_place_frame(struct part *p,
				 const struct recording_frame *f,
				 int64_t now_ns);

/* At the end: false and *e when a mark was not met. */
bool part_check(const struct part *p, struct err *e);

/*
 * How long a frame was: a row that catches up covers more. *plain: there is
 * one that does not; else the shortest has to do.
 */
int64_t recording_frame_interval(const struct recording_frame *f, bool *plain);

#endif
