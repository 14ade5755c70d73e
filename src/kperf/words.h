/* Config words: read from the kernel, built by kperfdata, compared. */
#ifndef KPERF_WORDS_H
#define KPERF_WORDS_H

#include "kperf/api.h"

#include <stdbool.h>
#include <stdint.h>

#define KPERF_SLOTS KPC_CLASS_CONFIGURABLE_MASK
#define KPERF_BOTH (KPC_CLASS_FIXED_MASK | KPC_CLASS_CONFIGURABLE_MASK)

/* Config words in counter order, of the class of configurable counters. */
struct kperf_words {
	unsigned len;
	uint64_t word[KPC_MAX_COUNTERS];
};

/* Events as kperfdata has placed them. */
struct kperf_plan {
	struct kperf_words words; /* len 0: fixed events alone */
	uint32_t classes;
	unsigned n;
	/* Per event: its place in a row of `classes` (kpep_config_kpc_map). */
	size_t map[KPC_MAX_COUNTERS];
	/* Per event: what is counted, the wanted one or its fallback. */
	struct kpep_event *live[KPC_MAX_COUNTERS];
};

/* Which call of kperfdata did not work. */
struct kperf_refusal {
	const char *call;
	int code;         /* enum kpep_error */
	int why;          /* errno after the call; for KPEP_ERRNO */
	unsigned event;   /* kpep_config_add_event: index of the event */
	uint32_t holders; /* and, on a conflict, the earlier ones in its way */
};

/*
 * Places n events (at most KPC_MAX_COUNTERS) in the order given, as if all
 * counters were forced. user_only: the words ask for user mode. False and
 * *why when a call fails; nothing of it outlives the function.
 */
bool kperf_plan_build(const struct kperfdata_api *kpep, struct kpep_db *db,
		      struct kpep_event *const *event, unsigned n,
		      bool user_only, struct kperf_plan *out,
		      struct kperf_refusal *why);

/* What the kernel has now; false with len 0 and errno. */
bool kperf_words_get(const struct kperf_api *k, struct kperf_words *out);

/* Same event numbers, whatever modes the kernel has put with them? */
bool kperf_words_same_events(const struct kperf_words *a,
			     const struct kperf_words *b);
bool kperf_words_equal(const struct kperf_words *a,
		       const struct kperf_words *b);

#endif
