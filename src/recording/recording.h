/* Reads recordings (ktop-csv(5)) frame by frame. Unknown columns give a notice;
 * damage is an error. */
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
	RECORDING_FILES_MAX = 4096,
	RECORDING_CPUS_MAX = 8192,
	RECORDING_NAMES_MAX = 4096,
	RECORDING_NOTE_MAX = 128, /* bytes kept of a note's text, with NUL */
	RECORDING_NOTES_MAX = 16
};

struct recording_place {
	unsigned file;
	int64_t offset;
	uint64_t line; /* of the frame's first row; the header is line 1 */
};

enum recording_note_kind { RECORDING_MARK, RECORDING_SWAP, RECORDING_LOST };

struct recording_note {
	enum recording_note_kind kind;
	int64_t wall_ns, elapsed_ns;
	char text[RECORDING_NOTE_MAX];
};

/* Numbers are -1 if unknown. */
struct recording_cpu {
	int package, die, level, core, cpu;
	char cluster[TOPOLOGY_LABEL_SIZE], kind[TOPOLOGY_NAME_SIZE];
	struct span counts;
};

/* Most power rows of a frame: those of clusters and of the machine. */
enum { RECORDING_POWER_MAX = 33 };

struct recording_frame {
	struct recording_place place;
	char run[24];
	uint64_t number;
	int64_t wall_ns, elapsed_ns; /* elapsed_ns: since the run began */
	char preset[32];
	enum domain domain;
	unsigned nslots;
	unsigned slot[EVENTSET_MAX]; /* indices for recording_name */
	uint32_t unlike; /* 1 << slot: the event differs by kind of core */
	unsigned ncpus;
	struct recording_cpu *cpu;
	/* Rows of processes; (other processes) has PROCESS_OTHERS_PID. */
	bool processes;
	unsigned nprocesses;
	struct process_read *process;
	unsigned ncounted;
	struct process_counts *counted;
	uint32_t counted_slots; /* 1 << slot known in all of `counted` */
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

struct recording_machine {
	char source[16], model[64], chip[32];
};

enum recording_status { RECORDING_FRAME, RECORDING_END, RECORDING_BAD };

struct recording;

/* Sorts paths by the times of their first frames, if all can be read. */
void recording_sort_segments(const char **path, unsigned n);

/* path is borrowed; "-": standard input. NULL and *e: the first file cannot be
 * opened or has no header of a recording, or out of memory. */
struct recording *recording_open(const char *const *path, unsigned n,
				 struct err *e);
void recording_close(struct recording *r);

/* Skips damaged rows from now on; recording_notice counts them. */
void recording_skip_damaged(struct recording *r);

/* Calls tell (may be NULL) after each MiB read, with bytes; all 0: unknown. */
void recording_set_progress(struct recording *r,
			    void (*tell)(void *arg, uint64_t done,
					 uint64_t all),
			    void *arg);

/* *out is valid until the next call. Omits a cut last frame, with a notice. */
enum recording_status recording_next(struct recording *r,
				     const struct recording_frame **out,
				     struct err *e);

/* False and *e: the segment cannot be opened, or cannot seek. */
bool recording_seek(struct recording *r, const struct recording_place *at,
		    struct err *e);

/* Name of event i, in order of appearance; NULL past the last. */
const char *recording_name(const struct recording *r, unsigned i);

/* Did any frame read so far have processes? */
bool recording_has_processes(const struct recording *r);

const struct recording_machine *recording_machine(const struct recording *r);

/* Notices for the user, separated by "; "; "": none. */
const char *recording_notice(const struct recording *r);

#endif
