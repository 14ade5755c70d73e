/* Positions and events of a recording. */
#ifndef RECORDING_INDEX_H
#define RECORDING_INDEX_H

#include "recording/recording.h"

#include <stdbool.h>
#include <stdint.h>

/* The CPUs of a recording; they can come late. Zeroed: none. */
struct replay_cpus {
	unsigned n;
	/* [n], by id, from the most complete row; counts.ncpus is 0 for a CPU
	 * that came later */
	struct recording_cpu *cpu;
	bool started, foreign; /* the run is of another machine */
	char run[24];
};

/* Has the frame a new CPU, or the kind of one that was offline? False if a new
 * run has other CPUs: another machine. run: of the frame before; NULL: none. */
bool replay_cpus_has_new(const struct replay_cpus *k,
			 const struct recording_frame *f, const char *run);

/* False and *e: out of memory. */
bool replay_cpus_add(struct replay_cpus *k, const struct recording_frame *f,
		     struct err *e);

/* Call for every frame in order. */
bool replay_cpus_follow(struct replay_cpus *k, const struct recording_frame *f,
			struct err *e);

void replay_cpus_done(struct replay_cpus *k);

/* When full, every second place is dropped. */
enum {
	INDEX_PLACES = 16384,
	INDEX_HAPPENINGS = 4096,
	INDEX_RUNS = 256,
	INDEX_LATEST = 2048 /* most frames between a marker and its row */
};

enum index_what {
	INDEX_IS_MARK,
	INDEX_IS_SWAP,
	INDEX_IS_GAP, /* sleep, or ktop was stopped */
	INDEX_IS_TAKEN_OVER,
	INDEX_IS_LOST, /* full disk or slow reader */
	INDEX_IS_RUN
};

struct index_happening {
	enum index_what what;
	unsigned number; /* of a marker: its number, from 1 */
	uint64_t frame;  /* from the start of the first segment */
	int64_t ns;      /* as in replay_reading; a marker's own time */
	char text[RECORDING_NOTE_MAX];
};

/* Elapsed time since the first run began, across runs. Starts zeroed. */
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
	uint64_t number[INDEX_PLACES];   /* in the file */
	int64_t played_ns[INDEX_PLACES]; /* since the first frame began */
	int64_t length_ns;               /* end of the last frame */
	struct index_happening happening[INDEX_HAPPENINGS];
	int64_t latest_ns[INDEX_LATEST]; /* of frame n: [n % INDEX_LATEST] */
	struct replay_cpus cpus;
	unsigned nruns;
	struct {
		uint64_t frame; /* first */
		uint64_t last;  /* file number of the last */
		struct recording_runs clock;
	} run[INDEX_RUNS];
};

/* Indexes the part (NULL: all). NULL and *e: damaged, or out of memory. */
struct part;
struct recording_index *recording_index_new(struct recording *r,
					    struct part *part, struct err *e);
void recording_index_free(struct recording_index *x);

/* The next recording_next returns this frame, or the last one. */
bool recording_index_seek(const struct recording_index *x, struct recording *r,
			  uint64_t frame, struct err *e);

/* The last indexed place at or before ns. */
uint64_t recording_index_at(const struct recording_index *x, int64_t ns);

/* Frame `number` of the run of frame `at`, exact to a stride. */
uint64_t recording_index_numbered(const struct recording_index *x, uint64_t at,
				  uint64_t number);

/* Last frame number of the run of frame `at`. */
uint64_t recording_index_last_number(const struct recording_index *x,
				     uint64_t at);

/* After, or before, a frame; NULL: none. */
const struct index_happening *
recording_index_next(const struct recording_index *x, uint64_t frame);
const struct index_happening *
recording_index_before(const struct recording_index *x, uint64_t frame);

/* The clock at the start of the frame's run. */
void recording_index_clock(const struct recording_index *x, uint64_t frame,
			   struct recording_runs *out);

int64_t recording_play_time(struct recording_runs *base,
			    const struct recording_frame *f, bool *new_run);

#endif
