/*
 * Reads recordings, ktop-csv(5): frame by frame, in memory that does not grow
 * with the file. Columns go by their names; what it does not know is passed
 * over with a notice, what is damaged is an error with file, line and column.
 */
#ifndef RECORDING_RECORDING_H
#define RECORDING_RECORDING_H

#include "base/err.h"
#include "model/power.h"
#include "model/event.h"
#include "model/process.h"
#include "model/track.h"
#include "model/topology.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	RECORDING_FILES_MAX = 4096, /* segments of one recording */
	RECORDING_CPUS_MAX = 8192,
	RECORDING_NAMES_MAX = 4096, /* events */
	RECORDING_NOTE_MAX = 128,   /* bytes kept of a mark */
	RECORDING_NOTES_MAX = 16    /* notes kept of a frame */
};

/* A place to go on reading from. */
struct recording_place {
	unsigned file;
	int64_t offset; /* of a frame's first row */
	uint64_t line;  /* 1 is the header */
};

enum recording_note_kind {
	RECORDING_MARK, /* after the frame; the next two before it */
	RECORDING_SWAP,
	RECORDING_LOST
};

struct recording_note {
	enum recording_note_kind kind;
	int64_t wall_ns, elapsed_ns; /* as of the frame */
	char text[RECORDING_NOTE_MAX];
};

/* Where a CPU sits, in the words of its row; -1: unknown. */
struct recording_cpu {
	int package, die, level, core, cpu;
	char cluster[TOPOLOGY_LABEL_SIZE], kind[TOPOLOGY_NAME_SIZE];
	struct span counts; /* as struct recorded has it */
};

/* Rows of clusters and the machine; more are left out. */
enum { RECORDING_POWER_MAX = 33 };

struct recording_frame {
	struct recording_place place;
	char run[24];
	uint64_t number;
	int64_t wall_ns, elapsed_ns; /* elapsed since the run began */
	char preset[32];
	enum domain domain;
	unsigned nslots;
	unsigned slot[EVENTSET_MAX]; /* see recording_name */
	uint32_t unlike; /* 1 << slot: kinds count different things for it */
	unsigned ncpus;
	struct recording_cpu *cpu; /* [ncpus], in the file's order */
	/* Processes: one row of their own each, and then, with the pid of
	   others, what all others did. */
	bool processes; /* they were read in this frame */
	unsigned nprocesses;
	struct process_read *process; /* [nprocesses], in the file's order */
	/* Those of them whose events were counted, with pid -1 the others'. */
	unsigned ncounted;
	struct process_counts *counted; /* [ncounted] */
	uint32_t counted_slots;         /* 1 << slot that each of them has */
	bool has_rest;
	struct process_read rest;
	enum domain process_domain;
	uint64_t began; /* processes, in this frame; UINT64_MAX: unknown */
	unsigned began_seen;
	unsigned npower;
	struct recorded_power power[RECORDING_POWER_MAX];
	unsigned nnotes;
	struct recording_note note[RECORDING_NOTES_MAX];
};

/* What the rows say of the machine; as of the last row read. */
struct recording_machine {
	char source[16], model[64], chip[32];
};

enum recording_status { RECORDING_FRAME, RECORDING_END, RECORDING_BAD };

struct recording;

/*
 * Puts path[n] in the order of the segments' first frames (a shell sorts
 * names, not times). Where one cannot be read, nothing moves.
 */
void recording_sort_segments(const char **path, unsigned n);

/*
 * Opens the segments, in this order, as one recording; "-" is standard input,
 * which cannot be gone back in. Paths are borrowed. NULL and *e on failure
 * (ERR_FORMAT: not a recording, or of a schema that is not known).
 */
struct recording *recording_open(const char *const *path, unsigned n,
				 struct err *e);
void recording_close(struct recording *r);

/* From now on rows that are damaged are left out, with a notice. */
void recording_skip_damaged(struct recording *r);

/*
 * Told after every few megabytes read: bytes so far, and of all segments (0:
 * unknown). NULL: nobody.
 */
void recording_set_progress(struct recording *r,
			    void (*tell)(void *arg, uint64_t done,
					 uint64_t all),
			    void *arg);

/*
 * The next frame, owned by r and valid until the next call. A frame cut off
 * by the end of the last file is left out, with a notice.
 */
enum recording_status recording_next(struct recording *r,
				     const struct recording_frame **out,
				     struct err *e);

/* Goes on at the place of a frame. False and *e if the file cannot. */
bool recording_seek(struct recording *r, const struct recording_place *at,
		    struct err *e);

/* Event names by number, as they were first met; NULL past the last. */
const char *recording_name(const struct recording *r, unsigned i);

/* Had a frame so far rows of processes? */
bool recording_has_processes(const struct recording *r);

const struct recording_machine *recording_machine(const struct recording *r);

/* What a person should know about this file, "; " between; "" if nothing. */
const char *recording_notice(const struct recording *r);

#endif
