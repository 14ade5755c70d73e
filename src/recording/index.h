/* Index of a recording: places of frames, and happenings such as markers. */
#ifndef RECORDING_INDEX_H
#define RECORDING_INDEX_H

#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>

/* The CPUs of a recording. Initialize with zeros. */
struct replay_cpus {
	unsigned n;
	/* [n], sorted by id: each CPU's first row, or the first with a known
	 * kind. counts.ncpus is 0 for a CPU that the first frame lacks. */
	struct recording_cpu *cpu;
	bool started, foreign; /* foreign: `run` began with an unknown CPU */
	char run[24];
};

/* Does the frame have more CPUs than k, or the kind of a CPU whose kind is
 * unknown in k? False if the frame's run is not `run` (NULL: no run). */
bool replay_cpus_has_new(const struct replay_cpus *k,
			 const struct recording_frame *f, const char *run);

/* Adds the frame's CPUs and kinds. False and *e: out of memory. */
bool replay_cpus_add(struct replay_cpus *k, const struct recording_frame *f,
		     struct err *e);

/* Adds new CPUs, except of a foreign run. Call for every frame, in order. */
bool replay_cpus_follow(struct replay_cpus *k, const struct recording_frame *f,
			struct err *e);

void replay_cpus_done(struct replay_cpus *k);

enum {
	INDEX_PLACES = 16384,
	INDEX_HAPPENINGS = 4096,
	INDEX_RUNS = 256,
	INDEX_LATEST = 2048 /* most frames from a marker to its row */
};

enum index_what {
	INDEX_IS_MARK,
	INDEX_IS_SWAP,
	INDEX_IS_GAP, /* the machine slept, or ktop was stopped */
	INDEX_IS_TAKEN_OVER,
	INDEX_IS_LOST, /* frames that could not be recorded */
	INDEX_IS_RUN
};

struct index_happening {
	enum index_what what;
	unsigned number; /* number of a marker, from 1; else 0 */
	uint64_t frame;
	int64_t ns; /* as replay_reading.time_ns */
	char text[RECORDING_NOTE_MAX];
};

/* State of recording_play_time. Initialize with zeros. */
struct recording_runs {
	bool started;
	char run[24];
	int64_t offset_ns;
	int64_t last_ns, last_wall_ns;
};

struct recording_index {
	uint64_t frames;
	uint64_t stride; /* frames between places */
	unsigned nplaces, nhappenings, nmarks;
	uint64_t happenings_lost;
	struct recording_place place[INDEX_PLACES];
	uint64_t number[INDEX_PLACES];
	int64_t played_ns[INDEX_PLACES];
	int64_t length_ns;
	struct index_happening happening[INDEX_HAPPENINGS];
	int64_t latest_ns[INDEX_LATEST]; /* ring by frame index */
	struct replay_cpus cpus;
	unsigned nruns;
	struct {
		uint64_t frame;
		uint64_t last; /* recorded number of its last frame */
		struct recording_runs clock;
	} run[INDEX_RUNS];
};

/* Reads and indexes the part (NULL: all frames). NULL and *e on failure. */
struct part;
struct recording_index *recording_index_new(struct recording *r,
					    struct part *part, struct err *e);
void recording_index_free(struct recording_index *x);

/* Makes recording_next return this frame, at most the last. */
bool recording_index_seek(const struct recording_index *x, struct recording *r,
			  uint64_t frame, struct err *e);

/* The last frame with an indexed place at or before `ns`; 0 if none. */
uint64_t recording_index_at(const struct recording_index *x, int64_t ns);

/* Index of the frame with this recorded number in the run of frame `at`. The
 * result may be off by less than `stride` if frames are missing. */
uint64_t recording_index_numbered(const struct recording_index *x, uint64_t at,
				  uint64_t number);

uint64_t recording_index_last_number(const struct recording_index *x,
				     uint64_t at);

/* The next happening after the frame, or the last one before; NULL: none. */
const struct index_happening *
recording_index_next(const struct recording_index *x, uint64_t frame);
const struct index_happening *
recording_index_before(const struct recording_index *x, uint64_t frame);

/* State of recording_play_time after the first frame of the run of `frame`. */
void recording_index_clock(const struct recording_index *x, uint64_t frame,
			   struct recording_runs *out);

int64_t recording_play_time(struct recording_runs *base,
			    const struct recording_frame *f, bool *new_run);

#endif
