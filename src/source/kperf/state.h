/* What an open kperf source remembers; for kperf*.c and the doctor. */
#ifndef SOURCE_KPERF_STATE_H
#define SOURCE_KPERF_STATE_H

#include "base/err.h"
#include "kperf/api.h"
#include "kperf/counters.h"
#include "kperf/host.h"
#include "kperf/sampler.h"
#include "kperf/trace.h"
#include "model/process.h"
#include "model/topology.h"
#include "pmu/pmu.h"
#include "source/examine.h"
#include "source/source.h"

#include <stdbool.h>
#include <stdint.h>

struct kperf_processes;
struct kperf_traced;

/* The live database as a catalog. */
struct kperf_catalog {
	struct kps_database *database; /* owns every string of the events */
	struct kpep_db *db;            /* the framework's own, in there */
	struct catalog catalog;
	struct event *event;      /* catalog.event, writable */
	struct kpep_event **live; /* [len], in the catalog's order */
	uint32_t fixed_bits;
	char name[32];
};

struct kperf_source {
	struct source source; /* first */
	const struct kperf_api *kpc;
	const struct kperfdata_api *kpep;
	const struct host_api *host;
	struct clock clock;
	void *owner;
	const struct pmu *pmu; /* our table of this chip, or NULL */
	char cpu[64];          /* kpc_cpu_string */

	bool ipc_only, user_only, intel;
	bool no_pmu; /* no kpc at all: do not ask again */
	struct topology *topology;
	struct kperf_catalog events; /* events.db NULL: none */

	unsigned rows;               /* CPUs that the frameworks may write */
	uint64_t *row;               /* [rows * KPC_MAX_COUNTERS + 32] */
	struct host_cpu_load *load;  /* [rows] */
	unsigned fixed[FIXED_COUNT]; /* place of each in a row */
	unsigned nfixed;

	struct kperf_found found;
	struct kperf_changes held;
	enum source_mode mode;    /* apart from an outage; never BUSY_ONLY */
	struct err why;           /* of that mode */
	bool delivered;           /* some reading has */
	bool torn;                /* the last one took long, and so again */
	struct eventset set;      /* in force; len 0 in IPC mode */
	struct kperf_words words; /* of `set`, as written */
	unsigned column[EVENTSET_MAX]; /* place of each slot in a row */
	uint32_t left_out;             /* slots that macOS refuses */
	unsigned stride;               /* counters in a row of KPERF_BOTH */
	bool baseline;                 /* the next reading is one */
	bool stolen;                   /* words or counting are not ours now */
	bool flagged;                  /* the last reading was: stolen */
	bool stood;   /* all stood still since that one, which was not */
	bool refused; /* taking them back was, and that is said */
	bool at_once; /* words act while they count: none can wait */
	struct kperf_processes *processes; /* NULL: nobody has asked yet */
	struct kperf_traced *traced;       /* likewise */
	uint64_t epoch; /* another one with each words written */
};

static inline struct kperf_source *
kperf_of(struct source *s)
{
	return (struct kperf_source *)(void *)s;
}

/* The sentence and code for a kpc call that failed with `why`; false. */
bool kperf_fail_call(struct err *e, const char *call, int why);
/*
 * The same for kperfdata, which failed at `doing` with `code`: ERR_NO_PMU where
 * this chip or system has no database. KPEP_ERRNO is told as `why`.
 */
bool kperf_fail_kpep(struct err *e, const char *doing, int code, int why);

/*
 * Where one's own processes are all there is: what root would see besides, in
 * the place of a refusal for want of that.
 */
void kperf_explain_root(const struct kperf_source *s, struct err *e);

/* info.notice, cut where it has to be. */
void kperf_notice(struct kperf_source *s, const char *text);

/* program.c: everything from the live database. */
bool kperf_catalog_load(struct kperf_catalog *c,
			const struct kperfdata_api *kpep, const struct pmu *pmu,
			struct err *e);
void kperf_catalog_free(struct kperf_catalog *c,
			const struct kperfdata_api *kpep);

/* counters.c: kperf/counters.h for a source, in ktop's words. */
bool kperf_acquire(struct kperf_source *s, struct err *e);
bool kperf_program_words(struct kperf_source *s, const struct kperf_words *w,
			 struct err *e);
/* Has somebody stopped the counters and started them again? */
bool kperf_was_restarted(const struct kperf_source *s,
			 const struct kperf_words *now);
/* What is refused is tried again by the next reading, and by the end. */
bool kperf_release(struct kperf_source *s, struct err *e);
void kperf_clear_rescue(const struct kperf_source *s);
/*
 * Where somebody released what we forced and nobody holds it: if our words
 * still stand, or also over words that others left.
 */
bool kperf_force_again(struct kperf_source *s, bool theirs_too);
/*
 * Engages the words, without those that are refused: *out, and *w as it is
 * then. False where nothing is left, or the refusal is of another kind.
 */
bool kperf_program_accepted(struct kperf_source *s, struct kperf_words *w,
			    const struct eventset *set, const unsigned *column,
			    uint32_t *out, struct err *e);
/* These, of the set in force, are left out too: noted, and said. */
void kperf_drop_refused(struct kperf_source *s, uint32_t out);
/* The notice while nothing else is the matter. */
void kperf_notice_refused(struct kperf_source *s);

/*
 * topology.c. hw.perflevelN.* says which kinds there are and how they are
 * called, the device tree which CPU is in which cluster; cluster letters and
 * levels are paired by their CPU counts. Without device tree nodes: one cluster
 * CPU, for the counts alone cannot place the ids. `pmu` is our table of the
 * chip for the slot widths, NULL if it is unknown; `db` is its name, "" if
 * unknown.
 */
struct topology *topology_apple(const struct host_api *host,
				const struct pmu *pmu, const char *db,
				struct err *e);

/* leftovers.c: what is set on a Mac, by whoever counts or was killed. */
struct kperf_leftovers {
	int force;
	uint32_t counting, threads;
	bool traced; /* the kernel is traced for a process that has died */
	struct kperf_words words;
};

/* Changes nothing. False, with *e, where it cannot be told. */
bool kperf_leftovers_read(const struct kperf_api *k,
			  const struct kperf_system *system,
			  struct kperf_leftovers *l, struct err *e);

/* loops.c: a line for each core, with the loop's events where x->s counts a
 * set. */
void kperf_loops(struct examine *x);
/* loops.c: source/calibrate.h. */
void kperf_calibrate(struct examine *x);

/*
 * Asks the scheduler for a fast or a slow core; what it asked, in words. File
 * mac/core.c or linux/core.c.
 */
const char *kperf_request_core(bool fast);

/* ---- processes.c: what they have used, by host functions ---- */

/* Can they be read here at all? */
bool kperf_processes_offered(const struct host_api *host);

/*
 * The host is borrowed; of the topology the kinds of core are taken, to split
 * by. NULL when memory is short.
 */
struct kperf_processes *kperf_processes_new(const struct host_api *host,
					    const struct topology *t);
void kperf_processes_free(struct kperf_processes *p);

/*
 * See source_ops.processes; rows come by pid. The clock is the source's.
 * Allocates only where there are more processes than ever before.
 */
bool kperf_processes_read(struct kperf_processes *p, const struct clock *c,
			  const struct process_wish *w,
			  struct process_reading *out, struct err *e);

/* ---- traced.c: their events, by tracing the kernel: taken on request ---- */

/*
 * Takes or lets go as it is wished, and what is new. The first time takes
 * memory. What is refused stays so until it is not wished any more.
 */
void kperf_traced_read(struct kperf_source *s, const struct process_wish *w,
		       struct process_traced *out);

/* Before the counters go; also in a crash. False: not all could be put back. */
bool kperf_traced_stop(struct kperf_source *s);
void kperf_traced_free(struct kperf_source *s);

/* What tracing may cost, and what is done where it costs more. */
enum { TRACE_PERIOD_NS = 50000000 }; /* between samples, as a rule */

struct trace_budget {
	unsigned over, quiet; /* looks in a row */
};

/*
 * The period from now on: twice as long after five looks in a row of too many
 * records a second or too much of a core, half of that after thirty that were
 * well within. At most a second.
 */
uint64_t trace_budget_period(struct trace_budget *b, uint64_t period_ns,
			     double records_s, double core_share);

/*
 * A process that waits for the end of this one, for as long as tracing of the
 * kernel is taken: after SIGKILL nobody else is there to let go of it.
 */
struct kperf_guard {
	int fd; /* of a pipe that the guard reads; 0: there is no guard */
};

/*
 * Before anything is taken. left: threads count for somebody who has died.
 * Where no process can be had there is no guard, and the next ktop clears
 * away.
 */
void kperf_guard_begin(struct kperf_guard *g, const struct kperf_api *k,
		       const struct kperf_system *s, bool left);

/* All is given back: the guard leaves. Also in a crash. */
void kperf_guard_end(struct kperf_guard *g);

#endif
