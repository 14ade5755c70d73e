/* Acquires the machine's counters and restores them, without locks and
 * allocation: kperf_counters_release may run in a crash handler. */
#ifndef KPERF_COUNTERS_H
#define KPERF_COUNTERS_H

#include "kperf/api.h"
#include <stddef.h>

#include <stdbool.h>
#include <stdint.h>

#define KPERF_SLOTS KPC_CLASS_CONFIGURABLE_MASK
#define KPERF_BOTH (KPC_CLASS_FIXED_MASK | KPC_CLASS_CONFIGURABLE_MASK)

struct kperf_words {
	unsigned len;
	uint64_t word[KPC_MAX_COUNTERS];
};

struct kperf_plan {
	struct kperf_words words; /* len 0: fixed events only */
	uint32_t classes;
	unsigned n;
	size_t map[KPC_MAX_COUNTERS];
	/* The events to count; some may be fallbacks of those requested. */
	struct kpep_event *live[KPC_MAX_COUNTERS];
};

struct kperf_refusal {
	const char *call;
	int code; /* enum kpep_error */
	int why;  /* errno of KPEP_ERRNO */
	unsigned event;
	uint32_t holders; /* bits of the earlier events in conflict */
};

/* Places n events (at most KPC_MAX_COUNTERS) in the given order, as if all
 * counters were forced. user_only: count user mode only. False and *why on
 * failure. */
bool kperf_plan_build(const struct kperfdata_api *kpep, struct kpep_db *db,
		      struct kpep_event *const *event, unsigned n,
		      bool user_only, struct kperf_plan *out,
		      struct kperf_refusal *why);

/* Reads the kernel's words. False: failed, and out->len is 0. */
bool kperf_words_get(const struct kperf_api *k, struct kperf_words *out);

/* True: the event numbers are equal; mode bits may differ. */
bool kperf_words_same_events(const struct kperf_words *a,
			     const struct kperf_words *b);
bool kperf_words_equal(const struct kperf_words *a,
		       const struct kperf_words *b);

struct kperf_found {
	int force;
	uint32_t counting, threads;
	struct kperf_words words; /* of all counters: read while force is set */
};

/* Changes that are not restored yet, and the state that was set:
 * kperf_counters_release restores the original only if that state is unchanged.
 */
struct kperf_changes {
	bool force, counting, words, threads;
	bool alone; /* no other code of this task uses force */
	bool take_anyway;
	bool latent; /* words are readable only while counting */
	uint32_t counting_is, threads_are;
	uint32_t counting_was; /* before a call that may be interrupted */
	struct kperf_words words_are,
		words_next; /* words_next: not read back yet; len 0: none */
};

enum kperf_fault_kind {
	KPERF_FAULT_CALL,     /* call failed with errno `why` */
	KPERF_FAULT_RESIZED,  /* the number of counters changed */
	KPERF_FAULT_NOT_OURS, /* another program changed the set-up */
	KPERF_FAULT_IN_USE,   /* another program counts under force */
	KPERF_FAULT_NOT_RESTORED
};

struct kperf_fault {
	enum kperf_fault_kind kind;
	const char *call;
	int why;
};

/* Returns the errno of a failed call, whose result is -1 or the errno. */
int kperf_result_errno(int result);

bool kperf_counters_running(const struct kperf_api *k, uint32_t *classes);
/* Returns the counters per row of `classes`; 0: failed, with errno set. */
uint32_t kperf_counters_per_row(const struct kperf_api *k, uint32_t classes);

/* Retries an incomplete release, saves the state, sets force and saves the
 * words of all counters. KPERF_FAULT_IN_USE: another program counts under
 * force, and take_anyway is false. After a failure call kperf_counters_release.
 */
bool kperf_counters_acquire(const struct kperf_api *k,
			    struct kperf_found *found,
			    struct kperf_changes *changes,
			    struct kperf_fault *why);

/* Stops counting, writes the words and starts counting. This order works on
 * every macOS: since 26.5 words take effect when counting starts, and sums
 * restart at 0. */
bool kperf_counters_program(const struct kperf_api *k,
			    struct kperf_found *found,
			    struct kperf_changes *changes,
			    const struct kperf_words *w,
			    struct kperf_fault *why);
bool kperf_counters_set_threads(const struct kperf_api *k,
				struct kperf_found *found,
				struct kperf_changes *changes, uint32_t classes,
				struct kperf_fault *why);

/* Sets force again if another program has released it: since macOS 26.5 the
 * kernel grants force twice but records it once. False: force was not lost, or
 * is refused. */
bool kperf_counters_force_again(const struct kperf_api *k,
				struct kperf_found *found,
				const struct kperf_changes *changes);

bool kperf_counters_to_restore(const struct kperf_changes *changes);

/* After EPERM from kperf_counters_program: writes each of `places` (bits)
 * alone, since the kernel does not name the word it refuses. *refused: bits of
 * the refused words. False: no word is the cause. kperf_counters_release undoes
 * the words written here. */
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

/* kperf_counters_pause restores words and counting and keeps force;
 * kperf_counters_release restores all. What the kernel refuses stays in
 * *changes, and force stays set: nothing can be restored without it (xnu
 * kpc_common.c, 760-780). The kernel clears force when the task ends. */
bool kperf_counters_pause(const struct kperf_api *k,
			  const struct kperf_found *f,
			  struct kperf_changes *changes);
bool kperf_counters_release(const struct kperf_api *k,
			    const struct kperf_found *f,
			    struct kperf_changes *changes);

/* Returns the number of CPUs, at least hw.ncpu, the rows of a reading; 0:
 * unknown. */
unsigned kperf_rows_most(int (*sysctl)(const char *name, void *old,
				       size_t *old_size, const void *fresh,
				       size_t fresh_size));

/* Reads all CPUs into rows of kpc_get_counter_count(classes) values. len:
 * elements of `row`, at least hw.ncpu rows, which libkperf always writes.
 * Returns 0 or errno. */
int kperf_rows_read(const struct kperf_api *k, uint32_t classes, uint64_t *row,
		    size_t len);

/* True: the reading wrote the row. a, b: fixed counters. If CPUs are off, the
 * last rows stay unwritten. A written row may be stale: the kernel never clears
 * its buffer, so an off CPU's row can be an older reading or heap bytes. */
bool kperf_row_written(const uint64_t *row, unsigned a, unsigned b);

#endif
