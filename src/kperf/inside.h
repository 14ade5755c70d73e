/* Private declarations of the sampler library. */
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

/* The kps_fail functions fill *e (e may be NULL) and return false. */
bool kps_fail(struct kps_error *e, enum kps_status code, const char *call,
	      const char *fmt, ...) __attribute__((format(printf, 4, 5)));
bool kps_fail_status(struct kps_error *e, enum kps_status code,
		     const char *call);
/* code: of kperfdata; why: errno of KPEP_ERRNO; doing: "opening the event
 * database", for example. */
bool kps_fail_kpep(struct kps_error *e, const char *call, int code, int why,
		   const char *doing);
/* why: the errno; otherwise: the status if the errno has none of its own. */
bool kps_fail_errno(struct kps_error *e, const char *call, int why,
		    enum kps_status otherwise);
bool kps_fail_fault(struct kps_error *e, const struct kperf_fault *f,
		    enum kps_status otherwise);
bool kps_fail_memory(struct kps_error *e, const char *what);
/* Returns zeroed memory; NULL and KPS_OUT_OF_MEMORY: no memory for `what`. */
void *kps_new(size_t size, const char *what, struct kps_error *e);

/* ---- database.c ---- */

struct kps_alias {
	const char *name;
	unsigned of;
};

struct kps_database {
	const struct kperfdata_api *kpep;
	struct kpep_db *db;
	struct kps_event *event;  /* [len], sorted by name */
	struct kpep_event **live; /* [len]: the framework's event[i] */
	unsigned len;
	struct kps_alias *alias;
	unsigned naliases;
	unsigned stride; /* bytes per event; 0: unknown */
	bool known;      /* db's fields may be read */
	char name[64];
	const char *cpu_id, *marketing;
	int architecture;
	uint32_t bits[3];
	unsigned counters[3];
	enum kps_chip chip;
};

int kps_database_index(const struct kps_database *d, const char *name);

/* ---- machine.c: shared by all samplers of the process ---- */

struct kps_group;

struct kps_machine {
	struct kps_machine *next;
	struct kperf_api api;
	unsigned users;
	struct kperf_found found;
	struct kperf_changes changes;
	struct kps_group *running;
	struct kperf_words words;
	uint32_t config_bits;
	uint32_t nfixed, stride;
	uint64_t epoch; /* incremented before words are programmed */
	struct kps_group *tracer;
};

void kps_lock(void);
void kps_unlock(void);

/* Call the kps_machine functions with the lock taken. */
struct kps_machine *kps_machine_join(const struct kperf_api *api,
				     uint32_t config_bits, bool take_anyway,
				     struct kps_error *e);
bool kps_machine_leave(struct kps_machine *m, struct kps_error *e);
bool kps_machine_start(struct kps_machine *m, struct kps_group *g,
		       struct kps_error *e);
bool kps_machine_stop(struct kps_machine *m, struct kps_group *g,
		      struct kps_error *e);

/* ---- group.c: events counted together ---- */

struct kps_slot {
	const struct kps_event *event; /* counted event: maybe a fallback */
	uint32_t mask;                 /* possible counters, absolute bits */
	unsigned counter;              /* assigned counter, absolute */
	uint64_t word;                 /* 0 for fixed events */
};

struct kps_group {
	struct kps_sampler *sampler; /* NULL: the sampler was freed */
	struct kps_group *sibling;
	struct kps_group *next;
	struct kps_slot slot[KPS_EVENTS_MAX];
	unsigned n;
	unsigned column[KPS_EVENTS_MAX]; /* index in a row, while running */
	unsigned stride;
	bool threads; /* needs per-thread counters */
	bool bound;   /* only the thread that started it may use it */
	atomic_bool running;
	pthread_t thread;
	/* Called before the group stops, with the lock taken; may be NULL. */
	bool (*stopping)(struct kps_group *g, struct kps_error *e);
};

struct kps_sampler {
	struct kps_frameworks *frameworks; /* NULL: the caller gave functions */
	struct kperf_api kperf;
	struct kperfdata_api kperfdata;
	struct kps_database *database;
	struct kps_machine *machine; /* NULL: released */
	struct kps_group *groups;
	const struct kperf_system *system; /* NULL: tracing is not available */
	bool user_only, take_anyway;
	unsigned cpus;
};

bool kps_group_init(struct kps_group *g, struct kps_sampler *s,
		    const char *const *names, unsigned n, struct kps_error *e);
void kps_group_done(struct kps_group *g);
bool kps_group_start(struct kps_group *g, struct kps_error *e);
bool kps_group_stop(struct kps_group *g, struct kps_error *e);
bool kps_group_ready(struct kps_group *g, struct kps_error *e);

/* clang-format off */
#define KPS_GET(type, call, of, value) \
type \
call(const struct of *it) \
{ \
	return value; \
}

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

/* Sets KPS_CONFLICT: the slots of `why->events` (bits) have too few counters.
 * used: counters of other samplers (bits). */
bool kps_fail_conflict(struct kps_error *e, const struct kps_slot *slot,
		       const struct place_conflict *why, uint32_t used);

/* Returns the n-th counter of a mask, the inverse of bits_below(). */
unsigned kps_nth_counter(uint32_t mask, unsigned n);

/* ---- names.c: chip-agnostic names of events ---- */

struct kperf_name {
	const char *name, *event;
	const char *event_m1; /* the event's name on M1 if different, or NULL */
	unsigned chips;       /* 1 << enum kps_chip */
	enum kps_unit unit;
};

const struct kperf_name *kperf_name_of(const char *event);

#endif
