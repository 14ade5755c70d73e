/* State of an open kperf source, private to this folder. */
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
	struct kps_database *database; /* owns the events' strings */
	struct kpep_db *db;            /* of `database` */
	struct catalog catalog;
	struct event *event;      /* catalog.event, writable */
	struct kpep_event **live; /* [len], same order */
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
	const struct pmu *pmu; /* our table, or NULL */
	char cpu[64];          /* kpc_cpu_string */

	bool ipc_only, user_only, intel;
	bool no_pmu; /* no kpc in the kernel: do not try again */
	struct topology *topology;
	struct kperf_catalog events; /* events.db NULL: none */

	unsigned rows;               /* rows the frameworks may write */
	uint64_t *row;               /* [rows * KPC_MAX_COUNTERS + 32] */
	struct host_cpu_load *load;  /* [rows] */
	unsigned fixed[FIXED_COUNT]; /* index in a row */
	unsigned nfixed;

	struct kperf_found found;
	struct kperf_changes changes;
	enum source_mode mode; /* mode without outages; never BUSY_ONLY */
	struct err why;        /* reason for that mode */
	bool delivered;        /* a reading succeeded */
	bool torn; /* both tries of the last reading were interrupted */
	struct eventset set;           /* current set; len 0: fixed only */
	struct kperf_words words;      /* of `set`, as written */
	unsigned column[EVENTSET_MAX]; /* index of each slot in a row */
	uint32_t left_out;             /* slots refused by macOS */
	unsigned stride;               /* counters in a row of KPERF_BOTH */
	bool baseline;                 /* flags of the next reading */
	bool taken_over; /* another program changed words or counting */
	bool flagged;    /* taken over at the last reading */
	bool uncounted;  /* nothing counted since then */
	bool refused;    /* a failure to reacquire was reported */
	bool at_once;    /* words take effect at once: none stay pending */
	struct kperf_processes *processes; /* NULL: not used yet */
	struct kperf_traced *traced;
	uint64_t epoch; /* changes when the words change */
};

static inline struct kperf_source *
kperf_of(struct source *s)
{
	return (struct kperf_source *)(void *)s;
}

/* Sets the error of a kpc call that failed with errno `why`; returns false. */
bool kperf_fail_call(struct err *e, const char *call, int why);
/* Sets the error of kperfdata while `doing`; ERR_NO_PMU without a database.
 * KPEP_ERRNO means errno `why`. */
bool kperf_fail_kpep(struct err *e, const char *doing, int code, int why);

/* If only the user's processes are readable, explains what root adds. */
void kperf_explain_root(const struct kperf_source *s, struct err *e);

void kperf_notice(struct kperf_source *s, const char *text);

/* program.c */
bool kperf_catalog_load(struct kperf_catalog *c,
			const struct kperfdata_api *kpep, const struct pmu *pmu,
			struct err *e);
void kperf_catalog_free(struct kperf_catalog *c);

/* counters.c */
bool kperf_acquire(struct kperf_source *s, struct err *e);
bool kperf_program_words(struct kperf_source *s, const struct kperf_words *w,
			 struct err *e);
bool kperf_was_restarted(const struct kperf_source *s,
			 const struct kperf_words *now);
/* The next reading, and the end, retry a refused release. */
bool kperf_release(struct kperf_source *s, struct err *e);
void kperf_clear_rescue(const struct kperf_source *s);
/* After another program released force and nobody holds it: takes it if our
 * words are intact, or (theirs_too) over leftover words. */
bool kperf_force_again(struct kperf_source *s, bool theirs_too);
/* Programs the words without the refused ones (*out); *w: what remains. False:
 * none remain, or another failure. */
bool kperf_program_accepted(struct kperf_source *s, struct kperf_words *w,
			    const struct eventset *set, const unsigned *column,
			    uint32_t *out, struct err *e);
/* Drops these slots from the current set, with a notice. */
void kperf_drop_refused(struct kperf_source *s, uint32_t out);
void kperf_notice_refused(struct kperf_source *s);

/* topology.c. Kinds come from hw.perflevelN.*, clusters from the device tree,
 * paired by CPU counts. No tree nodes: one cluster CPU. pmu: slot widths, or
 * NULL; db: its name, or "". */
struct topology *topology_apple(const struct host_api *host,
				const struct pmu *pmu, const char *db,
				struct err *e);

/* leftovers.c: counting state that a killed process left behind. */
struct kperf_leftovers {
	int force;
	uint32_t counting, threads;
	bool traced; /* traced by a process that no longer exists */
	struct kperf_words words;
};

bool kperf_leftovers_read(const struct kperf_api *k,
			  const struct kperf_system *system,
			  struct kperf_leftovers *l, struct err *e);

/* loops.c */
void kperf_loops(struct examine *x);
/* loops.c */
void kperf_calibrate(struct examine *x);

/* Asks the scheduler for a fast or slow core; returns the request as text.
 * {mac,linux}/core.c. */
const char *kperf_request_core(bool fast);

/* ---- processes.c: usage by host functions ---- */

bool kperf_processes_offered(const struct host_api *host);

/* Borrows the host; copies the kinds of core. NULL: out of memory. */
struct kperf_processes *kperf_processes_new(const struct host_api *host,
					    const struct topology *t);
void kperf_processes_free(struct kperf_processes *p);

/* See source_ops.processes; rows by pid. Uses the source's clock. Allocates
 * only for more processes than before. */
bool kperf_processes_read(struct kperf_processes *p, const struct clock *c,
			  const struct process_request *w,
			  struct process_reading *out, struct err *e);

/* ---- traced.c: events by kernel tracing, on request ---- */

/* Starts or stops as requested and reads new counts. The first start allocates.
 * A refusal lasts until the request ends. */
void kperf_traced_read(struct kperf_source *s, const struct process_request *w,
		       struct process_traced *out);

/* Before the counters are released; safe in a crash handler. False: not all was
 * restored. */
bool kperf_traced_stop(struct kperf_source *s);
void kperf_traced_free(struct kperf_source *s);

enum { TRACE_PERIOD_NS = 50000000 }; /* default sampling period */

struct trace_budget {
	unsigned over, quiet; /* consecutive readings */
};

/* The next period: doubled after five readings with too many records or too
 * much CPU time, halved after thirty well below. At most 1 s. */
uint64_t trace_budget_period(struct trace_budget *b, uint64_t period_ns,
			     double records_s, double core_share);

/* A process that releases tracing if this one is killed (SIGKILL). */
struct kperf_guard {
	int fd; /* the guard's pipe; 0: no guard */
};

/* Call before acquiring. left: thread counting is a leftover of a dead process.
 * Without a guard the next ktop cleans up. */
void kperf_guard_begin(struct kperf_guard *g, const struct kperf_api *k,
		       const struct kperf_system *s, bool left);

/* After the release: ends the guard. Safe in a crash handler. */
void kperf_guard_end(struct kperf_guard *g);

#endif
