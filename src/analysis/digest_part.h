/* Which part of a recording is meant: --from, --to, --mark. */
#ifndef ANALYSIS_DIGEST_PART_H
#define ANALYSIS_DIGEST_PART_H

#include "options/options.h"
#include "recording/index.h"
#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>

struct part_bound {
	bool given, wall; /* wall: a date, else a time since the begin */
	int64_t ns;
};

struct part {
	struct part_bound from, to;
	char begin[RECORDING_NOTE_MAX], end[RECORDING_NOTE_MAX]; /* "": open */
	bool marks;        /* --mark is given */
	bool began, ended; /* the mark has been met */
	bool timed;        /* by their times, as replay_time: */
	int64_t begin_ns, end_ns, first_ns; /* first_ns: the begin of it all */
	unsigned seen;                      /* marks so far */
	char list[160];                     /* their texts, as many as fit */
	unsigned listed;
};

bool part_parse(struct part *p, const struct options *o, struct err *e);

/*
 * Takes the marks' times from the index: a row of one that was named stands
 * where its name had been typed. Without that the rows' places have to do.
 */
void part_find_marks(struct part *p, const struct recording_index *x);

enum part_place { PART_BEFORE, PART_IN, PART_AFTER };

/*
 * Where a frame is, elapsed_ns after the begin. Frames come in order; the
 * marks of a frame are after it.
 */
enum part_place part_of(struct part *p, const struct recording_frame *f,
			int64_t elapsed_ns);

/* At the end: false and *e when a mark was not met. */
bool part_check(const struct part *p, struct err *e);

#endif
