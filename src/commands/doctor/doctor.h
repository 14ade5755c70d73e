/* ktop doctor: what its parts share. The report says no names of people. */
#ifndef COMMANDS_DOCTOR_DOCTOR_H
#define COMMANDS_DOCTOR_DOCTOR_H

#include "base/clock.h"
#include "base/err.h"
#include "base/report.h"
#include "kperf/host.h"
#include "kperf/load.h"
#include "kperf/words.h"
#include "options/options.h"
#include "source/examine.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { DOCTOR_TRIAL_NS = 20 * 1000 * 1000 /* each preset counts so long */ };

/* What somebody has set on a Mac, or has left behind. */
struct doctor_state {
	int force;
	uint32_t counting, threads;
	bool traced; /* tracing of the kernel is somebody's who has died */
	struct kperf_words words;
};

/* What only the frameworks have to find; the rest is in examine_found. */
struct doctor_findings {
	bool forced, restored;
	struct err topology, restore; /* text "": nothing wrong */
	unsigned nodes;
	int64_t force_ns, slowest_swap_ns; /* time that taking, setting took */
	char refused_names[512];           /* "INST_ALL 0x8 EPERM, ..." */
	unsigned refused_listed;           /* events in there */
};

struct doctor {
	struct examine x; /* first: what the source is asked with */
	const struct source_examine *ask;
	const struct options *o;
	const char *section;      /* that runs */
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
	struct doctor_state before, after; /* of all that it changes */
	struct err before_why, after_why;  /* why it cannot be told; "" */
	unsigned raw_words;                /* with force */
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

/* The lines of this section that the source alone knows, if it has any. */
void doctor_own(struct doctor *d);

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

/* ---- the sections ---- */

/* When a section applies; all of its bits must hold. */
enum {
	MAC = 1 << 0,    /* of Macs alone, also simulated ones */
	LINUX = 1 << 1,  /* of Linux alone */
	LOADED = 1 << 2, /* the frameworks could be loaded */
	OPEN = 1 << 3,   /* the source could be opened */
	HOST = 1 << 4,   /* the system can be asked for its machine */
	/* Run with the counters taken, where a source has to take them: */
	EVENTS = 1 << 5, /* ... and there are events to take them for */
	READS = 1 << 6,  /* ... or not, but then the fixed pair at least */
	TAKEN = EVENTS | READS,
	AROUND = 1 << 7 /* begins before that, and is printed after it */
};

/*
 * The report: ROW(function, name, when, what it is for), in order. Of
 * doctor_own: the source alone knows its lines. docs/DOCTOR.md explains them.
 */
/* clang-format off */
#define DOCTOR_SECTIONS(ROW) \
	ROW(doctor_versions, "versions", HOST, "system, chip, and who asks") \
	ROW(doctor_libraries, "libraries", MAC, "the frameworks: can they be loaded, and are they complete") \
	ROW(doctor_rights, "rights", LINUX, "who may count, and how many files may be open") \
	ROW(doctor_own, "pmus", LINUX, "the kernel's PMUs, and how many counters fit at once") \
	ROW(doctor_topology, "topology", HOST, "the CPUs, and ktop's clusters") \
	ROW(doctor_own, "database", MAC | OPEN, "the chip's events next to the table that is built in") \
	ROW(doctor_counters, "counters", MAC | OPEN | AROUND, "who has them, and is all put back") \
	ROW(doctor_events, "events", OPEN | EVENTS, "each event alone") \
	ROW(doctor_presets, "presets", OPEN | EVENTS, "each preset as it is counted") \
	ROW(doctor_own, "kernel", MAC | OPEN | EVENTS, "how this kernel takes words") \
	ROW(doctor_own, "clocks", LINUX, "what times go by") \
	ROW(doctor_reads, "reads", OPEN | READS, "whose rows come, and what they cost") \
	ROW(doctor_own, "loops", MAC | OPEN | READS, "a loop whose counts are known") \
	ROW(doctor_own, "tracing", MAC | OPEN | EVENTS, "does tracing of the kernel tell the counts of other threads") \
	ROW(doctor_terminal, "terminal", 0, "what the screen depends on") \
	ROW(doctor_questions, "questions", MAC | LOADED, "what nobody knew of such a Mac") \
	ROW(doctor_verdicts, "verdict", 0, "a line per feature")

#define DOCTOR_SECTION(function, ...) void function(struct doctor *d);
DOCTOR_SECTIONS(DOCTOR_SECTION)
/* clang-format on */
#undef DOCTOR_SECTION

/* ---- those of one system ---- */

/* machine.c: the first lines of versions and topology. */
void doctor_mac_versions(const struct doctor *d);
void doctor_mac_topology(struct doctor *d);

/* state.c: false, with *e, where it cannot be told. Changes nothing. */
bool doctor_look(const struct kperf_api *k, const struct kperf_system *system,
		 struct doctor_state *l, struct err *e);
/* What the errno of that call means; false. */
bool doctor_refused(struct err *e, const char *call);

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

#endif
