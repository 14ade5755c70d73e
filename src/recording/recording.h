/* Reads recordings (ktop-csv(5)) frame by frame in constant memory. Unknown
 * columns give a notice; damage is an error with file, line and column. */
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
	RECORDING_FILES_MAX = 4096, /* segments */
	RECORDING_CPUS_MAX = 8192,
	RECORDING_NAMES_MAX = 4096,
	RECORDING_NOTE_MAX = 128, /* bytes kept of a marker */
	RECORDING_NOTES_MAX = 16  /* per frame */
};

struct recording_place {
	unsigned file;
	int64_t offset; /* of a frame's first row */
	uint64_t line;  /* 1 is the header */
};

enum recording_note_kind {
	RECORDING_MARK, /* after the frame; the others before it */
	RECORDING_SWAP,
	RECORDING_LOST
};

struct recording_note {
	enum recording_note_kind kind;
	int64_t wall_ns, elapsed_ns;
	char text[RECORDING_NOTE_MAX];
};

/* -1: unknown. */
struct recording_cpu {
	int package, die, level, core, cpu;
	char cluster[TOPOLOGY_LABEL_SIZE], kind[TOPOLOGY_NAME_SIZE];
	struct span counts; /* as in struct recorded */
};

/* Clusters and the machine. */
enum { RECORDING_POWER_MAX = 33 };

struct recording_frame {
	struct recording_place place;
	char run[24];
	uint64_t number;
	int64_t wall_ns, elapsed_ns; /* since the run began */
	char preset[32];
	enum domain domain;
	unsigned nslots;
	unsigned slot[EVENTSET_MAX]; /* see recording_name */
	uint32_t unlike;             /* 1 << slot that differs between kinds */
	unsigned ncpus;
	struct recording_cpu *cpu; /* [ncpus], file order */
	/* A row per process, then (other processes) with PROCESS_OTHERS_PID. */
	bool processes; /* read in this frame */
	unsigned nprocesses;
	struct process_read *process; /* file order */
	/* Event counts; PROCESS_OTHERS_PID: those of (other processes). */
	unsigned ncounted;
	struct process_counts *counted;
	uint32_t counted_slots; /* 1 << slot that all of them have */
	bool has_rest;
	struct process_read rest;
	enum domain process_domain;
	uint64_t began; /* processes started; UINT64_MAX: unknown */
	unsigned began_seen;
	unsigned npower;
	struct recorded_power power[RECORDING_POWER_MAX];
	unsigned nnotes;
	struct recording_note note[RECORDING_NOTES_MAX];
};

/* The machine, as described by the last row. */
struct recording_machine {
	char source[16], model[64], chip[32];
};

enum recording_status { RECORDING_FRAME, RECORDING_END, RECORDING_BAD };

struct recording;

/* Sorts by first frame, not by name; leaves the order if a segment is
 * unreadable. */
void recording_sort_segments(const char **path, unsigned n);

/* path: borrowed; "-": standard input, which cannot seek. NULL and *e;
 * ERR_FORMAT: no recording, or unknown schema. */
struct recording *recording_open(const char *const *path, unsigned n,
				 struct err *e);
void recording_close(struct recording *r);

/* Damaged rows become a notice. */
void recording_skip_damaged(struct recording *r);

/* Called every few megabytes; all 0: unknown. tell may be NULL. */
void recording_set_progress(struct recording *r,
			    void (*tell)(void *arg, uint64_t done,
					 uint64_t all),
			    void *arg);

/* Valid until the next call. A cut frame is left out with a notice. */
enum recording_status recording_next(struct recording *r,
				     const struct recording_frame **out,
				     struct err *e);

/* Fails with *e if the file cannot seek. */
bool recording_seek(struct recording *r, const struct recording_place *at,
		    struct err *e);

/* Names in order of appearance; NULL past the last. */
const char *recording_name(const struct recording *r, unsigned i);

/* Had any frame so far processes? */
bool recording_has_processes(const struct recording *r);

const struct recording_machine *recording_machine(const struct recording *r);

/* Notices for the user, separated by "; ", or "". */
const char *recording_notice(const struct recording *r);

#endif
