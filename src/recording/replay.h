/* What a recording can do that no other source can: go back and forth. */
#ifndef RECORDING_REPLAY_H
#define RECORDING_REPLAY_H

#include "recording/index.h"
#include "source/source.h"

/*
 * Told while a recording is indexed: bytes read, and of all (0: unknown).
 * Set before the source is opened, in the options' life; NULL: nobody.
 */
struct replay_progress {
	void (*tell)(void *arg, uint64_t done, uint64_t all);
	void *arg;
};

/* source_replay's open with somebody to tell. */
struct source *replay_open(const struct source_options *o,
			   const struct replay_progress *p, struct err *e);

/* The frame of the last reading, with its notes; NULL before the first, and
 * after replay_next_time. */
const struct recording_frame *replay_frame(const struct source *s);

/* Where the last reading is. */
struct replay_reading {
	char run[24];    /* of the first frame, as its rows name it */
	uint64_t at;     /* counted from the begin of the first segment */
	int64_t time_ns; /* elapsed; through several runs, by the wall clock */
	int64_t tick_ns; /* that frames around it were recorded at; 0: unknown
			  */
	/* It lies before the part that was asked for: what is said of the part
	   rests on it, too. */
	bool before;
};
const struct replay_reading *replay_reading(const struct source *s);

/*
 * When the next frame ended, in time_ns, and how long it was, without
 * taking it. False at the end, or when the next reading will fail.
 */
bool replay_next_time(struct source *s, int64_t *ns, int64_t *interval_ns);

/*
 * Does the next frame have CPUs that the topology lacks? Without taking it.
 * The source's renew takes them in; without it they are left out, and said to
 * be. Never with an index: that has seen all of them.
 */
bool replay_outdated(struct source *s);

/* NULL unless options asked for it (replay_index). */
const struct recording_index *replay_index(const struct source *s);

/* The next reading is this frame. False and *e without an index. */
bool replay_seek(struct source *s, uint64_t frame, struct err *e);

/* As of recording_notice, or which CPU was left out. */
const char *replay_notice(const struct source *s);

#endif
