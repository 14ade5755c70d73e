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

struct kperf_catalog {
	struct kps_database *database; /* owns the events' strings */
	struct kpep_db *db;
	struct catalog catalog;
	struct event *event;
	struct kpep_event **live; /* [catalog.len]: the framework's event[i] */
	uint32_t fixed_bits;
	char name[32];
};

struct kperf_source {
	struct source source; /* first member, since kperf_of casts */
	const struct kperf_api *kpc;
	const struct kperfdata_api *kpep;
	const struct host_api *host;
	struct clock clock;
	void *owner;
	const struct pmu *pmu; /* ktop's table of this chip; NULL: unknown */
	char cpu[64];          /* from kpc_cpu_string; "": it failed */

	bool ipc_only, user_only, intel;
	bool no_pmu; /* the kernel or the processor has no counters */
	struct topology *topology;
	struct kperf_catalog events; /* events.db NULL: no database */

	unsigned rows;
	uint64_t *row; /* [rows * KPC_MAX_COUNTERS + 32] */
	struct host_cpu_load *load;
	unsigned fixed[FIXED_COUNT];
	unsigned nfixed;

	struct kperf_found found;
	struct kperf_changes changes;
	enum source_mode mode; /* SOURCE_IPC or _FULL, even if reads fail */
	struct err why;
	bool delivered;
	bool torn;           /* the last reading took 1 ms or more */
	struct eventset set; /* counted events; len 0: fixed counters only */
	struct kperf_words words;
	unsigned column[EVENTSET_MAX]; /* index of each slot in a row */
	uint32_t left_out; /* bits of the slots that macOS refuses */
	unsigned stride;   /* counters per row if KPERF_BOTH is read */
	bool baseline;
	bool taken_over; /* another program changed words or counting */
	bool flagged;    /* the last sample got SAMPLE_TAKEN_OVER */
	bool uncounted;  /* the next sample gets SAMPLE_TAKEN_OVER */
	bool refused;    /* a failure to reacquire was reported */
	bool at_once; /* words take effect at once: never write pending ones */
	struct kperf_processes *processes;
	struct kperf_traced *traced;
	uint64_t epoch; /* incremented before words are programmed */
};

static inline struct kperf_source *
kperf_of(struct source *s)
{
	return (struct kperf_source *)(void *)s;
}

/* Sets *e for a kpc call that failed with errno `why`; returns false. */
bool kperf_fail_call(struct err *e, const char *call, int why);
/* Sets *e for a failed kperfdata call; code: enum kpep_error, with errno `why`
 * if KPEP_ERRNO. ERR_NO_PMU: macOS has no database for the chip, or the
 * database is not supported. Returns false. */
bool kperf_fail_kpep(struct err *e, const char *doing, int code, int why);

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
/* Stops tracing and releases the counters; kperf_read and kperf_close retry a
 * refused release. */
bool kperf_release(struct kperf_source *s, struct err *e);
void kperf_clear_rescue(const struct kperf_source *s);
/* Sets force again if another program has cleared it. theirs_too false: only if
 * the current words are a part of ktop's. */
bool kperf_force_again(struct kperf_source *s, bool theirs_too);
/* Programs *w. If macOS refuses single words, clears these in *w and programs
 * the others; *out: bits of their slots in `set`. False: macOS refuses all
 * words or their combination, or another failure. */
bool kperf_program_accepted(struct kperf_source *s, struct kperf_words *w,
			    const struct eventset *set, const unsigned *column,
			    uint32_t *out, struct err *e);
/* Drops the slots of bits `out` from the current set, with a notice. */
void kperf_drop_refused(struct kperf_source *s, uint32_t out);
void kperf_notice_refused(struct kperf_source *s);

/* Kinds come from hw.perflevelN.*, clusters from the device tree; both are
 * paired by CPU counts. Without tree nodes all CPUs are one cluster. pmu: for
 * slot widths, or NULL; db: name of the database, or "". */
struct topology *topology_apple(const struct host_api *host,
				const struct pmu *pmu, const char *db,
				struct err *e);

/* Counting state that a killed process left behind. */
struct kperf_leftovers {
	int force;
	uint32_t counting, threads;
	bool traced;
	struct kperf_words words;
};

bool kperf_leftovers_read(const struct kperf_api *k,
			  const struct kperf_system *system,
			  struct kperf_leftovers *l, struct err *e);

/* loops.c */
void kperf_loops(struct examine *x);
void kperf_calibrate(struct examine *x);

/* Requests a fast or a slow core from the scheduler; returns the name of the
 * request. */
const char *kperf_request_core(bool fast);

bool kperf_processes_offered(const struct host_api *host);

/* Borrows `host`. NULL: out of memory. */
struct kperf_processes *kperf_processes_new(const struct host_api *host,
					    const struct topology *t);
void kperf_processes_free(struct kperf_processes *p);

/* Implements source_ops.processes; rows are sorted by pid. */
bool kperf_processes_read(struct kperf_processes *p, const struct clock *c,
			  const struct process_request *w,
			  struct process_reading *out, struct err *e);

/* Starts or stops tracing as w->trace requests, and reads new counts. After a
 * refusal, tracing starts only if a call without w->trace came in between. */
void kperf_traced_read(struct kperf_source *s, const struct process_request *w,
		       struct process_traced *out);

/* Stops tracing; safe in a crash handler. Call before the counters are
 * released. False: the previous state is not fully restored. */
bool kperf_traced_stop(struct kperf_source *s);
void kperf_traced_free(struct kperf_source *s);

enum { TRACE_PERIOD_NS = 50000000 };

struct trace_budget {
	unsigned over, quiet; /* consecutive readings */
};

/* Returns the next period: doubled (at most 1 s) after five consecutive
 * readings over a limit of records or CPU time, halved after thirty below half
 * of both. */
uint64_t trace_budget_period(struct trace_budget *b, uint64_t period_ns,
			     double records_s, double core_share);

struct kperf_guard {
	int fd; /* 0: no guard */
};

/* Starts the guard, a process that releases tracing if ktop is killed
 * (SIGKILL). Call before tracing starts. left: thread counting was left by a
 * dead process. Without a guard the next ktop cleans up. */
void kperf_guard_begin(struct kperf_guard *g, const struct kperf_api *k,
		       const struct kperf_system *s, bool left);

/* Ends the guard. Call after tracing is released; safe in a crash handler. */
void kperf_guard_end(struct kperf_guard *g);

#endif
