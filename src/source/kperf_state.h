/* What an open kperf source remembers; for kperf*.c and the doctor. */
#ifndef SOURCE_KPERF_STATE_H
#define SOURCE_KPERF_STATE_H

#include "kperf/api.h"
#include "kperf/host.h"
#include "pmu/pmu.h"
#include "source/source.h"

#define KPERF_SLOTS KPC_CLASS_CONFIGURABLE_MASK
#define KPERF_BOTH (KPC_CLASS_FIXED_MASK | KPC_CLASS_CONFIGURABLE_MASK)

/* The live database as a catalog. */
struct kperf_catalog {
	struct kpep_db *db; /* owns every string of the events */
	struct catalog catalog;
	struct event *event;      /* catalog.event, writable */
	struct kpep_event **live; /* [len], in the catalog's order */
	uint32_t fixed_bits;
	char name[32];
};

/* Config words for one set, in counter order. */
struct kperf_words {
	unsigned len;
	uint64_t word[KPC_MAX_COUNTERS];
};

/* The machine as it was before ktop's first change. */
struct kperf_found {
	int force;
	uint32_t counting;
	struct kperf_words words; /* of all counters: read after force */
};

/*
 * What ktop changed and has not put back yet, and how the machine answered
 * afterwards: only what still reads so is ktop's to put back.
 */
struct kperf_held {
	bool force, counting, words;
	uint32_t counting_is;
	struct kperf_words words_are;
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
	struct kperf_held held;
	enum source_mode mode;    /* apart from an outage; never BUSY_ONLY */
	struct err why;           /* of that mode */
	bool delivered;           /* some reading has */
	struct eventset set;      /* in force; len 0 in IPC mode */
	struct kperf_words words; /* of `set`, as written */
	unsigned column[EVENTSET_MAX]; /* place of each slot in a row */
	unsigned stride;               /* counters in a row of KPERF_BOTH */
	bool baseline;                 /* the next reading is one */
	bool stolen;                   /* words or counting are not ours now */
};

static inline struct kperf_source *
kperf_of(struct source *s)
{
	return (struct kperf_source *)(void *)s;
}

/* errno of a failed call: the frameworks return -1 or the errno itself. */
int kperf_errno(int result);

/* The sentence and code for a kpc call that failed with `why`; false. */
bool kperf_refused(struct err *e, const char *call, int why);

/* info.notice, cut where it has to be. */
void kperf_notice(struct kperf_source *s, const char *text);

/* Two counts whose 0 means failure; errno is then what the call left. */
uint32_t kperf_counters(const struct kperf_source *s, uint32_t classes);
bool kperf_counting(const struct kperf_source *s, uint32_t *classes);

/* kperf_catalog.c: everything from the live database. */
bool kperf_catalog_load(struct kperf_catalog *c,
			const struct kperfdata_api *kpep, const struct pmu *pmu,
			struct err *e);
void kperf_catalog_free(struct kperf_catalog *c,
			const struct kperfdata_api *kpep);

/*
 * kperf_words.c: the words of a set from the live database; checks that the
 * framework places the events where the set says.
 */
bool kperf_words_build(const struct kperf_source *s, const struct eventset *set,
		       struct kperf_words *out, unsigned *column,
		       struct err *e);
/* Same event numbers, whatever modes the kernel has put beside them? */
bool kperf_words_same_events(const struct kperf_words *a,
			     const struct kperf_words *b);
bool kperf_words_equal(const struct kperf_words *a,
		       const struct kperf_words *b);
/* What the words, as read back, count. */
enum domain kperf_words_domain(const struct kperf_words *w);

/* kperf_hold.c: taking the counters, and giving them back as found. */
bool kperf_acquire(struct kperf_source *s, struct err *e);
bool kperf_engage(struct kperf_source *s, const struct kperf_words *w,
		  struct err *e);
bool kperf_give_back(struct kperf_source *s, struct err *e);
bool kperf_get_words(const struct kperf_source *s, struct kperf_words *out);

#endif
