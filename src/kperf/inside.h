/* What the files of the sampler share; nobody else includes it. */
#ifndef KPERF_INSIDE_H
#define KPERF_INSIDE_H

#include "base/err.h"
#include "kperf/counters.h"
#include "kperf/load.h"
#include "base/place.h"
#include "kperf/sampler.h"

#include <pthread.h>
#include <stdatomic.h>

struct kps_frameworks {
	struct kperf_libs libs;
};

/* status.c; both return false. */
bool kps_fail(struct kps_error *e, enum kps_status code, const char *call,
	      const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* The status's own text and advice. */
bool kps_fail_status(struct kps_error *e, enum kps_status code,
		     const char *call);
/* A call of kperfdata; `doing` is "opening the event database". */
bool kps_fail_kpep(struct kps_error *e, const char *call, int code, int why,
		   const char *doing);
/* A call of kperf with its errno; `otherwise` for one without a meaning. */
bool kps_fail_errno(struct kps_error *e, const char *call, int why,
		    enum kps_status otherwise);
bool kps_fail_fault(struct kps_error *e, const struct kperf_fault *f,
		    enum kps_status otherwise);
bool kps_fail_memory(struct kps_error *e, const char *what);

/* ---- database.c ---- */

struct kps_alias { /* of event[of], besides its own */
	const char *name;
	unsigned of;
};

struct kps_database {
	const struct kperfdata_api *kpep;
	struct kpep_db *db;
	struct kps_event *event;  /* [len], by name */
	struct kpep_event **live; /* [len], in the same order */
	unsigned len;
	struct kps_alias *alias; /* [naliases], as the framework lists them */
	unsigned naliases;
	unsigned stride; /* of an event, bytes; 0: not known */
	bool known;      /* db's own fields may be believed */
	char name[64];
	const char *cpu_id, *marketing;
	int architecture;
	uint32_t bits[3]; /* by class id */
	unsigned counters[3];
	enum kps_chip chip;
};

/* Index of an event, by any of its names; -1: none. */
int kps_database_index(const struct kps_database *d, const char *name);

/* ---- machine.c: what samplers of one process share ---- */

struct kps_group;

struct kps_machine {
	struct kps_machine *next;
	struct kperf_api api; /* the key */
	unsigned users;       /* samplers that hold the counters */
	struct kperf_found found;
	struct kperf_changes held;
	struct kps_group *running;
	struct kperf_words words; /* as programmed for all that run */
	uint32_t config_bits;     /* counters that the words are for */
	uint32_t nfixed, stride;  /* counters in a row */
	uint64_t epoch;           /* of what is counted, and where */
	struct kps_group *tracer; /* who traces the kernel; one at a time */
};

void kps_lock(void);
void kps_unlock(void);

/* All under the lock. */
struct kps_machine *kps_machine_join(const struct kperf_api *api,
				     uint32_t config_bits, bool take_anyway,
				     struct kps_error *e);
bool kps_machine_leave(struct kps_machine *m, struct kps_error *e);
bool kps_machine_start(struct kps_machine *m, struct kps_group *g,
		       struct kps_error *e);
bool kps_machine_stop(struct kps_machine *m, struct kps_group *g,
		      struct kps_error *e);

/* ---- group.c: events that are counted together ---- */

struct kps_slot {
	const struct kps_event *event; /* as counted */
	uint32_t mask;                 /* counters it may take, absolute bits */
	unsigned counter;              /* the one it has, absolute */
	uint64_t word;                 /* 0 for fixed events */
};

struct kps_group {
	struct kps_sampler *sampler; /* NULL: freed before the group */
	struct kps_group *sibling;   /* the sampler's next */
	struct kps_group *next;      /* the machine's next that runs */
	struct kps_slot slot[KPS_EVENTS_MAX];
	unsigned n;
	unsigned column[KPS_EVENTS_MAX]; /* place in a row, while it runs */
	unsigned stride;                 /* of a row, likewise */
	bool threads; /* threads are to have counters of their own */
	bool bound;   /* for the thread that started it only */
	atomic_bool running;
	pthread_t thread; /* that started it */
	/* Under the lock, before it stops; NULL: nothing is to be done. */
	bool (*stopping)(struct kps_group *g, struct kps_error *e);
};

struct kps_sampler {
	struct kps_frameworks *frameworks; /* NULL: the caller's functions */
	struct kperf_api kperf;
	struct kperfdata_api kperfdata;
	struct kps_database *database;
	struct kps_machine *machine; /* NULL: released */
	struct kps_group *groups;
	const struct kperf_system *system; /* NULL: no tracing */
	bool user_only, take_anyway;
	unsigned cpus;
};

/* Fills a group of a sampler and links it. */
bool kps_group_init(struct kps_group *g, struct kps_sampler *s,
		    const char *const *names, unsigned n, struct kps_error *e);
/* Stops it, takes it off its sampler. */
void kps_group_done(struct kps_group *g);
bool kps_group_start(struct kps_group *g, struct kps_error *e);
bool kps_group_stop(struct kps_group *g, struct kps_error *e);
/* Runs, and may be read by the calling thread? */
bool kps_group_ready(struct kps_group *g, struct kps_error *e);

/* What a sampler that is a group answers of itself. */
/* clang-format off */
#define KPS_LIFE(which) \
bool \
which##_running(const struct which *it) \
{ \
	return atomic_load(&it->group.running); \
} \
\
const struct kps_event * \
which##_event(const struct which *it, unsigned i) \
{ \
	return i < it->group.n ? it->group.slot[i].event : NULL; \
}
/* clang-format on */

/*
 * KPS_CONFLICT for slots (bits of indices) that have too few counters; held:
 * counters that other samplers use just now.
 */
bool kps_fail_conflict(struct kps_error *e, const struct kps_slot *slot,
		       const struct place_conflict *why, uint32_t held);

/* The n-th counter of a mask, as bits_below() has them numbered. */
unsigned kps_nth_counter(uint32_t mask, unsigned n);

/* ---- names.c: chip-agnostic names of events ---- */

struct kperf_name {
	const char *name, *event;
	const char *event_m1; /* where the M1 says it otherwise, else NULL */
	unsigned chips;       /* 1 << enum kps_chip */
	enum kps_unit unit;
};

/* The row whose event on any chip this is, NULL: none. */
const struct kperf_name *kperf_name_of(const char *event);

#endif
