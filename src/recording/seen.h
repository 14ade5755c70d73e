/* How far each run was read: a frame that comes again would be summed twice. */
#ifndef RECORDING_SEEN_H
#define RECORDING_SEEN_H

#include "recording/recording.h"

struct seen_run {
	char run[24];
	uint64_t frame; /* the last one */
	unsigned file;  /* that it was in */
};

struct seen {
	struct seen_run *run; /* [n], as they were first met */
	unsigned n, size;
	unsigned at; /* of the last frame */
};

enum seen_status { SEEN_NEW, SEEN_AGAIN, SEEN_NO_MEMORY };

/*
 * SEEN_AGAIN: the frame, or a later one of its run, came before; *file is in
 * which. Rows that say no run, and a number that one file repeats, are let be.
 */
enum seen_status seen_add(struct seen *s, const struct recording_frame *f,
			  unsigned *file);

/* Another place was gone to: what was read before says nothing. */
void seen_forget(struct seen *s);
void seen_free(struct seen *s);

#endif
