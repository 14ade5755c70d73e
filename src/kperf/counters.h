/* Acquires the machine's counters and restores them. No locks, no allocation:
 * kperf_counters_release may run in a crash handler. */
#ifndef KPERF_COUNTERS_H
#define KPERF_COUNTERS_H

#include "kperf/api.h"
#include <stddef.h>

#include <stdbool.h>
#include <stdint.h>

/* ---- config words ---- */

#define KPERF_SLOTS KPC_CLASS_CONFIGURABLE_MASK
#define KPERF_BOTH (KPC_CLASS_FIXED_MASK | KPC_CLASS_CONFIGURABLE_MASK)

/* Words of the configurable counters, in the order of counters. */
struct kperf_words {
	unsigned len;
	uint64_t word[KPC_MAX_COUNTERS];
};

struct kperf_plan {
	struct kperf_words words; /* len 0: fixed events only */
	uint32_t classes;
	unsigned n;
	/* Index of each event in a row of `classes` (kpep_config_kpc_map). */
	size_t map[KPC_MAX_COUNTERS];
	/* The events counted; some may be fallbacks. */
	struct kpep_event *live[KPC_MAX_COUNTERS];
};

struct kperf_refusal {
	const char *call;
	int code;         /* enum kpep_error */
	int why;          /* errno, for KPEP_ERRNO */
	unsigned event;   /* kpep_config_add_event: event index */
	uint32_t holders; /* bits of the earlier events in conflict */
};

/* Places n events (at most KPC_MAX_COUNTERS) in this order, as if all counters
 * were forced. user_only: user-mode words. False and *why on failure. */
bool kperf_plan_build(const struct kperfdata_api *kpep, struct kpep_db *db,
		      struct kpep_event *const *event, unsigned n,
		      bool user_only, struct kperf_plan *out,
		      struct kperf_refusal *why);

/* Reads the kernel's words. False: len is 0 and errno tells why. */
bool kperf_words_get(const struct kperf_api *k, struct kperf_words *out);

/* Are the event numbers equal? Ignores mode bits. */
bool kperf_words_same_events(const struct kperf_words *a,
			     const struct kperf_words *b);
bool kperf_words_equal(const struct kperf_words *a,
		       const struct kperf_words *b);

/* ---- acquire, program, restore ---- */

struct kperf_found {
	int force;
	uint32_t counting, threads;
	struct kperf_words words; /* of all counters: read after force */
};

/* Changes not restored yet, and the state we set: the original is restored only
 * if that is unchanged. */
struct kperf_changes {
	bool force, counting, words, threads;
	bool alone;       /* this task has no other user of force */
	bool take_anyway; /* acquire even if another program counts */
	bool latent;      /* words are readable only while counting (26.5 on) */
	uint32_t counting_is, threads_are;
	uint32_t counting_was; /* before an interrupted call */
	struct kperf_words words_are, words_next; /* likewise; len 0: none */
};

enum kperf_fault_kind {
	KPERF_FAULT_CALL,        /* call failed with errno `why` */
	KPERF_FAULT_RESIZED,     /* the number of counters changed */
	KPERF_FAULT_NOT_OURS,    /* the set-up was changed */
	KPERF_FAULT_IN_USE,      /* another program counts under force */
	KPERF_FAULT_NOT_RESTORED /* not all was restored */
};

struct kperf_fault {
	enum kperf_fault_kind kind;
	const char *call;
	int why;
};

/* The errno of a failed call, which returned -1 or the errno. */
int kperf_result_errno(int result);

/* Reads the running classes. False: failed, and errno tells why. */
bool kperf_counters_running(const struct kperf_api *k, uint32_t *classes);
/* The counters in a row of the classes; 0: failed (errno). */
uint32_t kperf_counters_per_row(const struct kperf_api *k, uint32_t classes);

/* Saves the state, forces all counters and saves their words. Another program
 * counts: KPERF_FAULT_IN_USE without a change, unless `take_anyway`. After a
 * failure call kperf_counters_release. First restores what an earlier release
 * left. */
bool kperf_counters_acquire(const struct kperf_api *k,
			    struct kperf_found *found,
			    struct kperf_changes *changes,
			    struct kperf_fault *why);

/* Sets counting 0, words, counting: right on every macOS (from 26.5 on words
 * take effect when counting starts, and sums restart at 0). Does not restart
 * classes that another program stopped. Thread counting goes off before and on
 * after. */
bool kperf_counters_program(const struct kperf_api *k,
			    struct kperf_found *found,
			    struct kperf_changes *changes,
			    const struct kperf_words *w,
			    struct kperf_fault *why);
bool kperf_counters_set_threads(const struct kperf_api *k,
				struct kperf_found *found,
				struct kperf_changes *changes, uint32_t classes,
				struct kperf_fault *why);

/* If a program that took force before us releases it, ours ends, too: from
 * macOS 26.5 on the kernel grants force twice but records it once. False: in
 * use, or refused. */
bool kperf_counters_force_again(const struct kperf_api *k,
				struct kperf_found *found,
				const struct kperf_changes *changes);

bool kperf_counters_to_restore(const struct kperf_changes *changes);

/* After EPERM from kperf_counters_program: writes each of `places` (bits)
 * alone, as the kernel does not report which word it refuses. *refused: cannot
 * be counted. False: the cause is not a word. release undoes words written
 * here. */
bool kperf_counters_find_refused(const struct kperf_api *k,
				 struct kperf_changes *changes,
				 const struct kperf_fault *f,
				 const struct kperf_words *w, uint32_t places,
				 uint32_t *refused);

bool kperf_counters_unchanged(const struct kperf_api *k,
			      const struct kperf_changes *changes);
bool kperf_counters_words_unchanged(const struct kperf_changes *changes,
				    const struct kperf_words *now);

/* Restores thread counting, unless another program changed it. */
bool kperf_counters_restore_threads(const struct kperf_api *k,
				    const struct kperf_found *f,
				    struct kperf_changes *changes);

/* pause restores words and counting, keeps force; release restores all. What
 * the kernel refuses stays in *changes, with force: nothing can be restored
 * without it (xnu kpc_common.c, 760-780). The kernel drops force when the task
 * ends. */
bool kperf_counters_pause(const struct kperf_api *k,
			  const struct kperf_found *f,
			  struct kperf_changes *changes);
bool kperf_counters_release(const struct kperf_api *k,
			    const struct kperf_found *f,
			    struct kperf_changes *changes);

/* Most rows that a reading writes: libkperf writes hw.ncpu rows. 0: unknown. */
unsigned kperf_rows_most(int (*sysctl)(const char *name, void *old,
				       size_t *old_size, const void *fresh,
				       size_t fresh_size));

/* Reads all CPUs into rows of kpc_get_counter_count(classes). len: room for
 * hw.ncpu rows, which libkperf always writes. 0 or errno. */
int kperf_rows_read(const struct kperf_api *k, uint32_t classes, uint64_t *row,
		    size_t len);

/* Was the row written? a, b: fixed counters. CPUs that are off leave the last
 * rows unwritten. A written row may be stale: the kernel never clears its
 * buffer, so an off CPU's row can be an older reading or heap bytes. */
bool kperf_row_written(const uint64_t *row, unsigned a, unsigned b);

#endif
