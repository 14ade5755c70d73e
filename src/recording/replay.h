/* A recording as a source. Only a recording with an index can seek. */
#ifndef RECORDING_REPLAY_H
#define RECORDING_REPLAY_H

#include "recording/index.h"
#include "source/source.h"

/* Copied; arg must outlive the source. See recording_set_progress. */
struct replay_progress {
	void (*tell)(void *arg, uint64_t done, uint64_t all);
	void *arg;
};

struct source *replay_open(const struct source_options *o,
			   const struct replay_progress *p, struct err *e);

/* Frame of the last reading; NULL: none, or the next was read ahead. */
const struct recording_frame *replay_frame(const struct source *s);

struct replay_reading {
	char run[24];    /* run of the first frame that was read */
	uint64_t at;     /* index of the frame; if indexed, in the part */
	int64_t time_ns; /* over all runs; between runs by the wall clock */
	int64_t tick_ns; /* recorded interval in ns; 0: unknown */
	/* the frame precedes the requested part */
	bool before;
};
const struct replay_reading *replay_reading(const struct source *s);

/* Time of the next frame's end. False: the end, or an error. */
bool replay_next_time(struct source *s, int64_t *ns, int64_t *interval_ns);

/* Does the next frame have CPUs that the topology lacks, or unknown kinds of
 * CPUs? ops->renew adds them. Always false with an index. */
bool replay_outdated(struct source *s);

/* NULL: not requested in the options. */
const struct recording_index *replay_index(const struct source *s);

/* Makes `frame` the next reading. False and *e: no index, or an error. */
bool replay_seek(struct source *s, uint64_t frame, struct err *e);

/* recording_notice; if that is "", a notice about a CPU that is left out. */
const char *replay_notice(const struct source *s);

#endif
