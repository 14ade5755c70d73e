/*
 * Taking the counters of a machine and giving them back as they were found.
 * Nothing is locked here and no memory is taken: a crash handler may call
 * kperf_counters_release.
 */
#ifndef KPERF_COUNTERS_H
#define KPERF_COUNTERS_H

#include "kperf/api.h"
#include <stddef.h>

#include <stdbool.h>
#include <stdint.h>

/* ---- config words: read from the kernel, built by kperfdata, compared ---- */

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

/* ---- taking, counting, giving back ---- */

/* The machine as it was before the first change. */
struct kperf_found {
	int force;
	uint32_t counting, threads;
	struct kperf_words words; /* of all counters: read after force */
};

/*
 * What was changed and not put back yet, and how the machine answered
 * afterwards: only what still reads so is ours to put back.
 */
struct kperf_changes {
	bool force, counting, words, threads;
	bool alone; /* nobody else in this task takes force: ktop, no library */
	bool insist; /* take them also from who counts under force */
	bool latent; /* words can be told only while they count: 26.5 on */
	uint32_t counting_is, threads_are;
	uint32_t counting_was; /* or so still: a call may be cut short */
	struct kperf_words words_are, words_next; /* likewise; len 0: none */
};

enum kperf_fault_kind {
	KPERF_FAULT_CALL,        /* `call` failed with errno `why` */
	KPERF_FAULT_RESIZED,     /* the number of counters has changed */
	KPERF_FAULT_NOT_OURS,    /* the set-up reads back differently */
	KPERF_FAULT_IN_USE,      /* somebody counts under force */
	KPERF_FAULT_NOT_RESTORED /* something could not be put back */
};

struct kperf_fault {
	enum kperf_fault_kind kind;
	const char *call;
	int why;
};

/* errno of a failed call: the frameworks return -1 or the errno itself. */
int kperf_result_errno(int result);

/* 0 may mean failure: false, with errno, if it does. */
bool kperf_counters_running(const struct kperf_api *k, uint32_t *classes);
/* Counters in a row of the classes; 0 with errno. */
uint32_t kperf_counters_per_row(const struct kperf_api *k, uint32_t classes);

/*
 * Looks, then forces all counters and saves their words. HELD, unless `insist`
 * is set: another program has them, and counts; nothing is changed then. A
 * failure may leave force held: kperf_counters_release is right after any of
 * these functions. What an earlier give_back could not put back is put back
 * first.
 */
bool kperf_counters_acquire(const struct kperf_api *k,
			    struct kperf_found *found,
			    struct kperf_changes *held,
			    struct kperf_fault *why);

/*
 * counting 0, words, counting: the order that is right on every macOS. From
 * 26.5 on new words take effect only when counting starts, and all sums begin
 * at zero with them. Classes that somebody else has stopped since are not
 * started again at the end. The counters of threads go off before and on after;
 * the first time looks what was found.
 */
bool kperf_counters_program(const struct kperf_api *k,
			    struct kperf_found *found,
			    struct kperf_changes *held,
			    const struct kperf_words *w,
			    struct kperf_fault *why);
bool kperf_counters_set_threads(const struct kperf_api *k,
				struct kperf_found *found,
				struct kperf_changes *held, uint32_t classes,
				struct kperf_fault *why);

/*
 * Who had force before us and let it go took ours along: from macOS 26.5 on the
 * kernel says yes to the second, and knows only the first. False: it is held,
 * or cannot be had.
 */
bool kperf_counters_force_again(const struct kperf_api *k,
				struct kperf_found *found,
				const struct kperf_changes *held);

/* Is anything of ours left to put back? */
bool kperf_counters_to_restore(const struct kperf_changes *held);

/*
 * After kperf_counters_program failed with EPERM: the kernel refuses a whole
 * set for one word and does not say which, so each of `places` (bits) is
 * written alone. *refused: those that the kernel does not count. False: the
 * failure was not about words. What was written is ours to undo.
 */
bool kperf_counters_find_refused(const struct kperf_api *k,
				 struct kperf_changes *held,
				 const struct kperf_fault *f,
				 const struct kperf_words *w, uint32_t places,
				 uint32_t *refused);

/* Does the machine read as it was left by us? And words that were read? */
bool kperf_counters_unchanged(const struct kperf_api *k,
			      const struct kperf_changes *held);
bool kperf_counters_words_unchanged(const struct kperf_changes *held,
				    const struct kperf_words *now);

/* Counting of threads as found, unless somebody else has set it since. */
bool kperf_counters_restore_threads(const struct kperf_api *k,
				    const struct kperf_found *f,
				    struct kperf_changes *held);

/*
 * Words and counting as found, force kept; all of it, threads too. What is
 * refused stays in *held, and force with it: without force no set-up can be put
 * back (xnu kpc_common.c, 760-780). The kernel takes force back when the task
 * ends.
 */
bool kperf_counters_pause(const struct kperf_api *k,
			  const struct kperf_found *f,
			  struct kperf_changes *held);
bool kperf_counters_release(const struct kperf_api *k,
			    const struct kperf_found *f,
			    struct kperf_changes *held);

/*
 * Rows that a reading of all CPUs may write: the frameworks copy hw.ncpu of
 * them whatever happens, so room for the largest number there is. 0: not known.
 */
unsigned kperf_rows_most(int (*sysctl)(const char *name, void *old,
				       size_t *old_size, const void *fresh,
				       size_t fresh_size));

/*
 * Reads all CPUs to row[0..len), a row of kpc_get_counter_count(classes) each.
 * len must have room for hw.ncpu rows: libkperf writes them whatever happens.
 * 0 or the errno.
 */
int kperf_rows_read(const struct kperf_api *k, uint32_t classes, uint64_t *row,
		    size_t len);

/*
 * Did the reading write the row? a and b are two fixed counters. As many rows
 * at the end are left alone as CPUs are off. One that was written may still be
 * an old one: the kernel's buffer is never cleared, and what it holds of a CPU
 * that is off can be anybody's reading, nothing at all, or the heap's bytes.
 */
bool kperf_row_written(const uint64_t *row, unsigned a, unsigned b);

#endif
