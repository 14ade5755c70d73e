/* ktop doctor: what its parts share. The report says no names of people. */
#ifndef COMMANDS_DOCTOR_DOCTOR_H
#define COMMANDS_DOCTOR_DOCTOR_H

#include "options/options.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/report.h"
#include "kperf/load.h"
#include "kperf/tape/tape.h"
#include "source/kperf/state.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
	DOCTOR_CALLS_MAX = 24,
	DOCTOR_PHASES = 3,
	DOCTOR_CHANGES_MAX = 24,
	DOCTOR_TRIAL_NS = 20 * 1000 * 1000 /* each preset counts so long */
};

/* When the same calls are made: the first and the last must answer alike. */
enum doctor_phase { DOCTOR_BEFORE, DOCTOR_FORCED, DOCTOR_AFTER };

struct doctor_answer {
	bool asked;
	int64_t value; /* what the function returned */
	int64_t told;  /* what it wrote through a pointer; 0: nothing */
	int error;     /* errno; 0: none */
	int64_t ns;
	unsigned nwords;
	uint64_t word[KPC_MAX_COUNTERS];
};

/* A call that changes the machine, as it went. */
struct doctor_change {
	const char *phase;
	unsigned id;  /* of kperf/tape/tape.h */
	uint64_t arg; /* the first */
	int64_t result;
	int error; /* errno; 0: none */
	int64_t ns;
};

struct doctor_watch {
	struct tape_engine engine;
	const char *phase; /* NULL: calls are passed over */
	int64_t from_ns;
	unsigned ncalls;
	struct doctor_change call[DOCTOR_CHANGES_MAX];
};

/* How the kernel took words and gave counts; kernel.c. */
struct doctor_kernel {
	bool tried;
	bool at_once; /* words are told as soon as they are written */
	bool kept;    /* they read the same with counting off */
	uint64_t sum_before, sum_after; /* of other words, a moment apart */
	bool asked;
	int second; /* errno of a second process that forces; 0: none */
};

/* What the examination found, for the verdicts. */
struct doctor_findings {
	bool forced, restored;
	struct err ipc, full, topology, restore; /* text "": nothing wrong */
	unsigned events, refused, misplaced;
	unsigned presets, programmed;
	unsigned differences; /* of the first and the last answers */
	unsigned rows, fresh, moved, nodes;
	int64_t force_ns, slowest_swap_ns; /* time that taking, setting took */
	int loads;                         /* rows of busy time */
	enum domain domain;
	struct doctor_kernel kernel;
	char refused_names[512]; /* "INST_ALL 0x8 EPERM, ..." */
	unsigned refused_listed; /* events in there */
};

struct doctor {
	FILE *out;
	const struct options *o;
	const struct kperf_api *kpc;
	const struct kperfdata_api *kpep;
	const struct host_api *host;
	const char *name; /* "sim" or "kperf" */
	struct kperf_libs libs;
	bool sim_started;
	struct source *source;  /* without ops; NULL: could not be opened */
	struct kperf_source *k; /* the same */
	sigset_t stop;          /* signals that end the examination early */
	struct doctor_answer call[DOCTOR_CALLS_MAX][DOCTOR_PHASES];
	uint64_t *rows[2]; /* two readings, as the frameworks write them */
	struct doctor_watch watch;
	struct doctor_findings found;
};

/* Awake time of the system, whatever clock the machine has. */
static inline int64_t
doctor_now_ns(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns;
}

/* ---- the sections, in the order of the report ---- */

/* doctor.c; also the Linux report ends with these. */
void doctor_terminal(FILE *out);
void doctor_who(FILE *out);

/* machine.c */
void doctor_versions(const struct doctor *d);
void doctor_topology(struct doctor *d);

/* library.c */
void doctor_libraries(FILE *out, const struct options *o);

/* database.c */
void doctor_database(const struct doctor *d);

/* calls.c: asks in a phase; prints what all phases answered. */
void doctor_calls_ask(struct doctor *d, enum doctor_phase phase);
void doctor_calls(struct doctor *d);
/* What its answers say to the open questions. */
void doctor_questions_calls(const struct doctor *d);

/*
 * forced.c: takes the counters, examines, puts everything back and
 * prints the parts below. A signal of d->stop ends it early; returns its
 * number, or 0.
 */
int doctor_forced(struct doctor *d);

/*
 * watch.c: sees the source's calls from begin to end, and keeps those
 * that change something in a phase ("take", "set", "back").
 */
void doctor_watch_begin(struct doctor *d);
void doctor_watch_phase(struct doctor *d, const char *phase);
void doctor_watch_end(struct doctor *d);
void doctor_watch_print(const struct doctor *d);

/* With the counters taken (events.c); stops when a signal pends. */
void doctor_events(struct doctor *d, FILE *out);
void doctor_presets(struct doctor *d, FILE *out);

/* kernel.c: with the counters taken. */
void doctor_kernel(struct doctor *d, FILE *out);

/* reads.c: with the counters taken or not. */
void doctor_reads(struct doctor *d, FILE *out);
/* One all-CPU reading over a buffer prefilled with a sentinel: the errno. */
int doctor_read_rows(const struct doctor *d, uint64_t *rows, uint32_t classes,
		     uint32_t stride);
#define DOCTOR_SENTINEL 0xfedcba9876543210ull
/* Lets `ns` of the machine's time pass. */
void doctor_pause(const struct doctor *d, int64_t ns);

/* loops.c */
void doctor_loops(struct doctor *d, FILE *out);

/*
 * Keeps d->stop and the stop of a terminal waiting while the machine is not as
 * it was; *old is the mask to put back.
 */
void doctor_block(const struct doctor *d, sigset_t *old);

/* Is one of d->stop waiting? */
bool doctor_interrupted(const struct doctor *d);

/* questions.c: what nobody knew of such a Mac, answered. */
void doctor_questions(const struct doctor *d);

/* verdict.c */
void doctor_verdicts(const struct doctor *d);

/* ---- whole commands ---- */

/* All of the above; 0 or 128 + the signal that cut it short. */
int doctor_examine(struct doctor *d);

/*
 * The same where the frameworks did not load: *e says why. A Mac (d->host) has
 * a version, a topology and a terminal all the same. Returns e's code.
 */
int doctor_without_frameworks(struct doctor *d, const struct err *e);

/* tape.c: records framework calls to o->tape. */
int doctor_tape(struct doctor *d);

/* linux/doctor.c or mac/doctor.c: a machine without the frameworks. */
int doctor_elsewhere(const struct options *o);

/* Asks the scheduler for a fast or a slow core; what it asked, in words. */
const char *doctor_core(bool fast);

#endif
