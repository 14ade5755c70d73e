/* ktop doctor: what its parts share. The report says no names of people. */
#ifndef COMMANDS_DOCTOR_DOCTOR_H
#define COMMANDS_DOCTOR_DOCTOR_H

#include "base/clock.h"
#include "base/err.h"
#include "base/report.h"
#include "kperf/host.h"
#include "kperf/load.h"
#include "kperf/tape/tape.h"
#include "options/options.h"
#include "source/examine.h"

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

/* What only the frameworks have to find; the rest is in examine_found. */
struct doctor_findings {
	bool forced, restored;
	struct err topology, restore; /* text "": nothing wrong */
	unsigned differences;         /* of the first and the last answers */
	unsigned nodes;
	int64_t force_ns, slowest_swap_ns; /* time that taking, setting took */
	char refused_names[512];           /* "INST_ALL 0x8 EPERM, ..." */
	unsigned refused_listed;           /* events in there */
};

struct doctor {
	struct examine x; /* first: what the source is asked with */
	const struct source_examine *ask;
	const struct options *o;
	struct sample *sample[2]; /* a reading and the next */
	sigset_t stop;            /* signals that end the examination early */
	struct doctor_findings found;

	/* A Mac, real or simulated; host NULL: another system. */
	const struct host_api *host;
	const struct kperf_api *kpc; /* NULL: the frameworks did not load */
	const struct kperfdata_api *kpep;
	const char *name; /* "sim" or "kperf" */
	struct kperf_libs libs;
	bool mac, sim_started;
	struct doctor_answer call[DOCTOR_CALLS_MAX][DOCTOR_PHASES];
	struct doctor_watch watch;
};

/* Awake time of the system, whatever clock the machine has. */
static inline int64_t
doctor_now_ns(void)
{
	struct stamp now;

	clock_now(clock_system(), &now);
	return now.awake_ns;
}

/* ---- ask.c: what the sections share ---- */

/* The lines of that section that the source alone knows, if it has any. */
void doctor_own(struct doctor *d, const char *section);

/* All events of the machine, or NULL: it has none. */
const struct catalog *doctor_catalog(const struct doctor *d);

/* The set of preset i, of the mode that was found. */
bool doctor_derive(const struct doctor *d, unsigned i, struct eventset *set,
		   struct err *e);

/* Fills both samples, DOCTOR_TRIAL_NS apart. */
bool doctor_read_twice(struct doctor *d);

/* Is one of d->stop waiting? */
bool doctor_interrupted(const struct doctor *d);

/*
 * Keeps d->stop and the stop of a terminal waiting while the machine is not as
 * it was; *old is the mask to put back.
 */
void doctor_block(const struct doctor *d, sigset_t *old);

/* Takes one of the signals that wait off the list; 0: none does. */
int doctor_take_signal(const struct doctor *d);

/* ---- the sections that every report has ---- */

/* basics.c */
void doctor_versions(struct doctor *d);
void doctor_topology(struct doctor *d);
void doctor_terminal(struct doctor *d);

/* events.c: stops when a signal waits. */
void doctor_events(struct doctor *d);
void doctor_presets(struct doctor *d);

/* reads.c */
void doctor_reads(struct doctor *d);

/* verdict.c */
void doctor_verdicts(struct doctor *d);

/* ---- those of one system ---- */

/* rights.c */
void doctor_rights(struct doctor *d);

/* machine.c: the first lines of versions and topology. */
void doctor_mac_versions(const struct doctor *d);
void doctor_mac_topology(struct doctor *d);

/* library.c */
void doctor_libraries(struct doctor *d);

/* calls.c: asks in a phase; prints what all phases answered, and the changes.
 */
void doctor_calls_ask(struct doctor *d, enum doctor_phase phase);
void doctor_calls(struct doctor *d);
/* What its answers say to the open questions. */
void doctor_questions_calls(const struct doctor *d);

/*
 * Sees the calls that go through the tape's functions, and keeps those that
 * change something in a phase ("take", "set", "back").
 */
void doctor_watch_begin(struct doctor *d);
void doctor_watch_phase(struct doctor *d, const char *phase);
void doctor_watch_end(void);
void doctor_watch_print(const struct doctor *d);

/* questions.c: what nobody knew of such a Mac, answered. */
void doctor_questions(struct doctor *d);

/* ---- whole commands ---- */

/* mac: the frameworks are what is examined, else the kernel's perf events. */
void doctor_begin(struct doctor *d, FILE *out, const struct options *o,
		  bool mac);

/*
 * All of the sections that apply, over x.s or what says why there is none; 0 or
 * 128 + the signal that cut it short.
 */
int doctor_examine(struct doctor *d);

/*
 * Of a Mac whose frameworks did not load: *e says why. It has a version, a
 * topology and a terminal all the same. Returns e's code.
 */
int doctor_without_frameworks(struct doctor *d, const struct err *e);

/* Makes x.s an examined source, with samples for it; NULL: *why is noted. */
void doctor_use(struct doctor *d, struct source *s, const struct err *why);
void doctor_leave(struct doctor *d);

/* That of kpc, kpep and host; opening it changes nothing. */
void doctor_open_frameworks(struct doctor *d);

/* tape.c: records framework calls to o->tape. */
int doctor_tape(struct doctor *d);

#endif
