/* Where the frames of a recording are, and what happened when. */
#ifndef RECORDING_INDEX_H
#define RECORDING_INDEX_H

#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>

/* Which CPUs a recording has, and where each sits: they can come late. */
/* Zeroed, it knows none. */
struct replay_cpus {
	unsigned n;
	/* [n], by id, as of their best row; counts.ncpus 0: not from the first
	 * on */
	struct recording_cpu *cpu;
	bool started, foreign; /* foreign: a run of another machine */
	char run[24];
};

/*
 * Would this frame say more than is known: a CPU that came on line since, or
 * what kind of core one is that was off line before? Not where a run begins
 * (`run`: of the frame before; NULL: none) with other CPUs: that is another
 * machine.
 */
bool replay_cpus_has_new(const struct replay_cpus *k,
			 const struct recording_frame *f, const char *run);

/* Takes in all that the frame says. False and *e when memory is short. */
bool replay_cpus_add(struct replay_cpus *k, const struct recording_frame *f,
		     struct err *e);

/* The frames of a recording one after the other, the first included. */
bool replay_cpus_follow(struct replay_cpus *k, const struct recording_frame *f,
			struct err *e);

void replay_cpus_done(struct replay_cpus *k);

/*
 * Memory is the same for every length: when the places are used up, every
 * second is given up, and a frame is found by reading on from the last one
 * before it.
 */
enum {
	INDEX_PLACES = 16384,
	INDEX_HAPPENINGS = 4096,
	INDEX_RUNS = 256,
	INDEX_LATEST = 2048 /* frames that a mark may be older than its row */
};

enum index_what {
	INDEX_IS_MARK,
	INDEX_IS_SWAP,
	INDEX_IS_GAP, /* sleep, or a stopped ktop */
	INDEX_IS_STOLEN,
	INDEX_IS_LOST, /* frames lost to a full disk or a slow reader */
	INDEX_IS_RUN   /* another run begins */
};

struct index_happening {
	enum index_what what;
	unsigned number; /* of a mark, from 1 as their rows stand */
	uint64_t frame;  /* counted from the begin of the first segment */
	int64_t ns;      /* of a mark its own time, as replay_reading has it */
	char text[RECORDING_NOTE_MAX];
};

/*
 * A clock that goes on from run to run: elapsed time of a frame since the
 * first run's start. base is kept by the caller, zeroed at first.
 */
struct recording_runs {
	bool started;
	char run[24];
	int64_t offset_ns; /* added to elapsed_ns */
	int64_t last_ns, last_wall_ns;
};

struct recording_index {
	uint64_t frames;
	uint64_t stride; /* frames from one place to the next */
	unsigned nplaces, nhappenings, nmarks;
	uint64_t happenings_lost; /* found no room */
	struct recording_place place[INDEX_PLACES];
	uint64_t number[INDEX_PLACES];   /* that the frame has in the file */
	int64_t played_ns[INDEX_PLACES]; /* since the first frame's begin */
	int64_t length_ns;               /* of the last frame */
	struct index_happening happening[INDEX_HAPPENINGS];
	int64_t latest_ns[INDEX_LATEST]; /* of frame n at n % INDEX_LATEST */
	struct replay_cpus cpus;         /* of all frames */
	unsigned nruns;
	struct {
		uint64_t frame; /* its first */
		uint64_t last;  /* number in the file of its last */
		struct recording_runs clock;
	} run[INDEX_RUNS];
};

/*
 * Reads r to its end, or that of the part: NULL, or what is to be in the index
 * as if there were nothing else. NULL and *e on a damaged row or when memory
 * is short.
 */
struct part;
struct recording_index *recording_index_new(struct recording *r,
					    struct part *part, struct err *e);
void recording_index_free(struct recording_index *x);

/*
 * Brings r to `frame` (the last one if there are not so many), so that
 * recording_next gives it. False and *e on failure.
 */
bool recording_index_seek(const struct recording_index *x, struct recording *r,
			  uint64_t frame, struct err *e);

/* The frame that shows that many ns after the begin, to a stride. */
uint64_t recording_index_at(const struct recording_index *x, int64_t ns);

/* In the run of frame `at` the frame with that number, to a stride. */
uint64_t recording_index_numbered(const struct recording_index *x, uint64_t at,
				  uint64_t number);

/* In the run of frame `at` the last number. */
uint64_t recording_index_last_number(const struct recording_index *x,
				     uint64_t at);

/* The next happening after (or the last before) a frame; NULL: none. */
const struct index_happening *
recording_index_next(const struct recording_index *x, uint64_t frame);
const struct index_happening *
recording_index_before(const struct recording_index *x, uint64_t frame);

/* That clock as it stands in the run that a frame belongs to. */
void recording_index_clock(const struct recording_index *x, uint64_t frame,
			   struct recording_runs *out);

int64_t recording_play_time(struct recording_runs *base,
			    const struct recording_frame *f, bool *new_run);

#endif
