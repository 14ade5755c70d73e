/* The recording as a source that can seek. */
#ifndef RECORDING_REPLAY_H
#define RECORDING_REPLAY_H

#include "recording/index.h"
#include "source/source.h"

/* Must outlive the source. all 0: the size is unknown. tell may be NULL. */
struct replay_progress {
	void (*tell)(void *arg, uint64_t done, uint64_t all);
	void *arg;
};

struct source *replay_open(const struct source_options *o,
			   const struct replay_progress *p, struct err *e);

/* Frame of the last reading; NULL: none yet, or after replay_next_time. */
const struct recording_frame *replay_frame(const struct source *s);

struct replay_reading {
	char run[24];    /* of the first frame */
	uint64_t at;     /* from the start of the first segment */
	int64_t time_ns; /* elapsed; across runs by the wall clock */
	int64_t tick_ns; /* recorded interval; 0: unknown */
	/* before the requested part, which needs it as a base */
	bool before;
};
const struct replay_reading *replay_reading(const struct source *s);

/* Time of the next frame, which is not read. False: the end, or an error. */
bool replay_next_time(struct source *s, int64_t *ns, int64_t *interval_ns);

/* Does the next frame have CPUs that the topology lacks? Renewing adds them;
 * else they are left out with a notice. False with an index. */
bool replay_outdated(struct source *s);

/* NULL unless requested in the options. */
const struct recording_index *replay_index(const struct source *s);

/* Next reading. False and *e: no index. */
bool replay_seek(struct source *s, uint64_t frame, struct err *e);

/* recording_notice, or the CPU left out. */
const char *replay_notice(const struct source *s);

#endif
