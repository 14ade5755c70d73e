#include "kperf/counters.h"

#include <errno.h>
#include <string.h>

int
kperf_result_errno(int result)
{
	if (result > 0)
		return result;
	return errno != 0 ? errno : EIO;
}

/* The result 0 means no classes if errno is 0, else a failure. */
static bool
read_classes(uint32_t (*get)(void), uint32_t *classes)
{
	errno = 0;
	*classes = get();
	if (*classes == 0)
		return errno == 0;
	return (*classes & KPC_CLASS_NO_MASK) == 0;
}

bool
kperf_counters_running(const struct kperf_api *k, uint32_t *classes)
{
	return read_classes(k->kpc_get_counting, classes);
}

static bool
running_retried(const struct kperf_api *k, uint32_t *classes)
{
	return kperf_counters_running(k, classes) ||
	       kperf_counters_running(k, classes);
}

uint32_t
kperf_counters_per_row(const struct kperf_api *k, uint32_t classes)
{
	errno = 0;
	uint32_t n = k->kpc_get_counter_count(classes);
	if (n > KPC_MAX_COUNTERS)
		n = 0;
	if (n == 0 && errno == 0)
		errno = EIO;
	return n;
}

static bool
fail_call(struct kperf_fault *f, const char *call, int result)
{
	*f = (struct kperf_fault){ KPERF_FAULT_CALL, call,
				   kperf_result_errno(result) };
	return false;
}

bool
kperf_counters_set_threads(const struct kperf_api *k, struct kperf_found *found,
			   struct kperf_changes *changes, uint32_t classes,
			   struct kperf_fault *why)
{
	if (!changes->threads &&
	    !read_classes(k->kpc_get_thread_counting, &found->threads))
		return fail_call(why, "kpc_get_thread_counting", -1);
	errno = 0;
	int rc = k->kpc_set_thread_counting(classes);
	if (rc != 0)
		return fail_call(why, "kpc_set_thread_counting", rc);
	changes->threads = true;
	changes->threads_are = classes;
	return true;
}

bool
kperf_counters_restore_threads(const struct kperf_api *k,
			       const struct kperf_found *f,
			       struct kperf_changes *changes)
{
	uint32_t now;

	if (!changes->threads)
		return true;
	if (!read_classes(k->kpc_get_thread_counting, &now) &&
	    !read_classes(k->kpc_get_thread_counting, &now))
		return false;
	if (now != changes->threads_are) {
		changes->threads = false;
		return true;
	}
	changes->threads = k->kpc_set_thread_counting(f->threads) != 0 &&
			   k->kpc_set_thread_counting(f->threads) != 0;
	return !changes->threads;
}

static bool
fault_set(struct kperf_fault *f, enum kperf_fault_kind kind, const char *call)
{
	f->kind = kind;
	f->call = call;
	f->why = 0;
	return false;
}

/* True: force that was already set may be another task's. Up to macOS 26.4 (11
 * RAWPMU words, xnu arm64 kpc.c) the kernel grants force only if it is free or
 * this task's. With `alone`, no other code of this task has set it. */
static bool
kernel_grants_all(const struct kperf_api *k,
		  const struct kperf_changes *changes)
{
	uint32_t n = k->kpc_get_config_count(KPC_CLASS_RAWPMU_MASK);

	return changes->alone || (n != 0 && n != 11);
}

bool
kperf_counters_acquire(const struct kperf_api *k, struct kperf_found *found,
		       struct kperf_changes *changes, struct kperf_fault *why)
{
	int force, rc;

	errno = 0;
	rc = k->kpc_force_all_ctrs_get(&force);
	if (rc != 0)
		return fail_call(why, "kpc_force_all_ctrs_get", rc);
	/* State left by a failed release must not be saved as the original. */
	if (kperf_counters_to_restore(changes) &&
	    !kperf_counters_release(k, found, changes))
		return fault_set(why, KPERF_FAULT_NOT_RESTORED,
				 "kpc_set_config");
	errno = 0;
	rc = k->kpc_force_all_ctrs_get(&found->force);
	if (rc != 0)
		return fail_call(why, "kpc_force_all_ctrs_get", rc);
	if (!kperf_counters_running(k, &found->counting))
		return fail_call(why, "kpc_get_counting", -1);
	/* Set force before reading words, since it changes their number. */
	errno = 0;
	rc = k->kpc_force_all_ctrs_set(1);
	if (rc != 0)
		return fail_call(why, "kpc_force_all_ctrs_set", rc);
	/* Up to macOS 26.4 the kernel refuses force that another task has (xnu
	 * kpc_common.c, 172 to 178). Later kernels grant it, and without a
	 * power manager force always reads 1, so counting shows whether another
	 * program uses the counters. */
	changes->force = found->force == 0 || changes->alone;
	if (found->force != 0 && !changes->take_anyway &&
	    kernel_grants_all(k, changes) &&
	    (found->counting & KPC_CLASS_CONFIGURABLE_MASK) != 0)
		return fault_set(why, KPERF_FAULT_IN_USE,
				 "kpc_force_all_ctrs_get");
	if (!kperf_words_get(k, &found->words))
		return fail_call(why, "kpc_get_config", -1);
	return true;
}

bool
kperf_counters_words_unchanged(const struct kperf_changes *changes,
			       const struct kperf_words *now)
{
	return kperf_words_equal(now, &changes->words_are) ||
	       kperf_words_same_events(now, &changes->words_next);
}

static bool
words_have(const struct kperf_words *w, uint64_t bits)
{
	for (unsigned i = 0; i < w->len; i++)
		if ((w->word[i] & bits) != 0)
			return true;
	return false;
}

/* Detects latent words: since macOS 26.5 words take effect when counting
 * starts. Until counting starts, a read returns the hardware's last selectors,
 * without mode bits. */
static void
detect_latent_words(const struct kperf_api *k, struct kperf_changes *changes,
		    const struct kperf_words *w)
{
	const uint64_t event = KPC_CONFIG_EVENT_16;
	struct kperf_words now;

	if (!changes->latent && words_have(w, event) &&
	    kperf_words_get(k, &now))
		changes->latent = !words_have(&now, ~event);
}

/* Records the current words if this program wrote them (*ours). False: the
 * words are unreadable. */
static bool
note_words(const struct kperf_api *k, struct kperf_changes *changes, bool *ours)
{
	struct kperf_words now;

	if (!kperf_words_get(k, &now))
		return false;
	*ours = kperf_counters_words_unchanged(changes, &now);
	if (!*ours)
		return true;
	changes->words_are = now;
	changes->words_next.len = 0;
	return true;
}

static bool
note_counting(const struct kperf_api *k, struct kperf_changes *changes)
{
	uint32_t now;

	if (!running_retried(k, &now))
		return false;
	changes->counting_is = changes->counting_was = now;
	return true;
}

/* Records the old and the new classes first, since a signal may end the program
 * during the call. A refused call changes nothing. */
static bool
change_counting(const struct kperf_api *k, struct kperf_changes *changes,
		uint32_t classes, struct kperf_fault *why)
{
	struct kperf_changes before = *changes;

	changes->counting_was =
		changes->counting ? changes->counting_is : classes;
	changes->counting_is = classes;
	changes->counting = true;
	errno = 0;
	int rc = k->kpc_set_counting(classes);
	if (rc == 0)
		return true;
	*changes = before;
	return fail_call(why, "kpc_set_counting", rc);
}

/* Records words first, like change_counting. own: w selects this program's
 * events. Returns 0 or the failed result. */
static int
change_words(const struct kperf_api *k, struct kperf_changes *changes,
	     const struct kperf_words *w, bool own)
{
	struct kperf_words copy = *w, next = changes->words_next;
	bool before = changes->words, ours;

	changes->words_next = *w;
	changes->words = true;
	errno = 0;
	int rc = k->kpc_set_config(KPERF_SLOTS, copy.word);
	if (rc == 0) {
		if (own)
			detect_latent_words(k, changes, w);
		if (changes->latent) /* not readable before counting starts */
			changes->words_are.len = 0;
		else
			(void)note_words(k, changes, &ours);
		return 0;
	}
	changes->words_next = next;
	changes->words = before;
	return rc;
}

bool
kperf_counters_force_again(const struct kperf_api *k, struct kperf_found *found,
			   const struct kperf_changes *changes)
{
	int force = 1;

	if (!changes->force || k->kpc_force_all_ctrs_get(&force) != 0 ||
	    force != 0 || k->kpc_force_all_ctrs_set(1) != 0)
		return false;
	/* Counting ended with the other program's force. */
	if (found->force != 0)
		found->counting = 0;
	found->force = 0;
	return true;
}

static bool
write_words(const struct kperf_api *k, struct kperf_found *found,
	    struct kperf_changes *changes, const struct kperf_words *w,
	    struct kperf_fault *why)
{
	/* The kernel expects as many words as there are counters now. */
	errno = 0;
	uint32_t n = k->kpc_get_config_count(KPERF_SLOTS);
	if (n != 0 && n != w->len &&
	    kperf_counters_force_again(k, found, changes))
		n = k->kpc_get_config_count(KPERF_SLOTS);
	if (n == 0)
		return fail_call(why, "kpc_get_config_count", -1);
	if (n != w->len)
		return fault_set(why, KPERF_FAULT_RESIZED,
				 "kpc_get_config_count");
	int rc = change_words(k, changes, w, true);
	return rc == 0 || fail_call(why, "kpc_set_config", rc);
}

/* False: the classes are unreadable, or another program has started counting,
 * with words of its own, since this program stopped it. */
static bool
still_stopped(const struct kperf_api *k, struct kperf_fault *why)
{
	uint32_t now;

	if (!kperf_counters_running(k, &now))
		return fail_call(why, "kpc_get_counting", -1);
	return (now & KPERF_BOTH) == 0 ||
	       fault_set(why, KPERF_FAULT_NOT_OURS, "kpc_get_counting");
}

bool
kperf_counters_program(const struct kperf_api *k, struct kperf_found *found,
		       struct kperf_changes *changes,
		       const struct kperf_words *w, struct kperf_fault *why)
{
	uint32_t now;
	bool ours;

	/* A release must not restart classes that another program stopped. */
	if (changes->counting && kperf_counters_running(k, &now) &&
	    now != changes->counting_is && now != changes->counting_was &&
	    (now & KPERF_SLOTS) == 0)
		found->counting &= now;
	if (!change_counting(k, changes, 0, why) ||
	    !write_words(k, found, changes, w, why) || !still_stopped(k, why) ||
	    !change_counting(k, changes, KPERF_BOTH, why))
		return false;
	if (!kperf_counters_running(k, &changes->counting_is) ||
	    !note_words(k, changes, &ours)) {
		fail_call(why, "reading the counters' set-up back", -1);
		changes->counting_is = KPERF_BOTH;
		return false;
	}
	changes->counting_was = changes->counting_is;
	if ((changes->counting_is & KPERF_BOTH) != KPERF_BOTH || !ours)
		return fault_set(why, KPERF_FAULT_NOT_OURS, "kpc_get_config");
	return true;
}

bool
kperf_counters_find_refused(const struct kperf_api *k,
			    struct kperf_changes *changes,
			    const struct kperf_fault *f,
			    const struct kperf_words *w, uint32_t places,
			    uint32_t *refused)
{
	uint32_t counting;

	*refused = 0;
	/* EPERM can also mean that root was lost; then the classes are
	 * unreadable. */
	if (f->kind != KPERF_FAULT_CALL || f->why != EPERM ||
	    strcmp(f->call, "kpc_set_config") != 0 ||
	    !kperf_counters_running(k, &counting))
		return false;
	for (unsigned i = 0; i < w->len; i++) {
		struct kperf_words one = { .len = w->len };
		int rc;

		if ((places >> i & 1) == 0)
			continue;
		one.word[i] = w->word[i];
		rc = change_words(k, changes, &one, true);
		if (rc != 0 && kperf_result_errno(rc) != EPERM)
			return false;
		if (rc != 0)
			*refused |= 1u << i;
	}
	return kperf_counters_running(k, &counting);
}

static bool
set_counting(const struct kperf_api *k, struct kperf_changes *changes,
	     uint32_t classes)
{
	struct kperf_fault f;

	return change_counting(k, changes, classes, &f) ||
	       change_counting(k, changes, classes, &f);
}

static bool
set_words(const struct kperf_api *k, struct kperf_changes *changes,
	  const struct kperf_words *w)
{
	struct kperf_words some = { .len = w->len };

	if (change_words(k, changes, w, false) == 0 ||
	    change_words(k, changes, w, false) == 0)
		return true;
	/* One refused word fails the call; it may be a word of a kernel client:
	 * set the words that are allowed. If every call fails, no word is the
	 * cause. */
	for (unsigned i = 0; i < w->len; i++) {
		some.word[i] = w->word[i];
		if (w->word[i] == 0 ||
		    change_words(k, changes, &some, false) == 0)
			continue;
		some.word[i] = 0;
		if (change_words(k, changes, &some, false) != 0)
			return false;
		some.word[i] = w->word[i];
		if (change_words(k, changes, &some, false) != 0)
			some.word[i] = 0;
	}
	return change_words(k, changes, &some, false) == 0;
}

enum setter { SET_BY_US, SET_BY_OTHER, SET_BY_UNKNOWN };

static enum setter
counting_setter(const struct kperf_api *k, const struct kperf_changes *changes)
{
	uint32_t now;

	if (!running_retried(k, &now))
		return SET_BY_UNKNOWN;
	return now == changes->counting_is || now == changes->counting_was
		       ? SET_BY_US
		       : SET_BY_OTHER;
}

static enum setter
words_setter(const struct kperf_api *k, const struct kperf_changes *changes)
{
	struct kperf_words now;
	uint32_t counting;

	/* Latent words are not comparable while counting is stopped. */
	if (changes->latent) {
		if (!running_retried(k, &counting))
			return SET_BY_UNKNOWN;
		if ((counting & KPC_CLASS_CONFIGURABLE_MASK) == 0)
			return SET_BY_US;
	}
	if (!kperf_words_get(k, &now) && !kperf_words_get(k, &now))
		return SET_BY_UNKNOWN;
	return kperf_counters_words_unchanged(changes, &now) ? SET_BY_US
							     : SET_BY_OTHER;
}

bool
kperf_counters_unchanged(const struct kperf_api *k,
			 const struct kperf_changes *changes)
{
	return (!changes->words || words_setter(k, changes) != SET_BY_OTHER) &&
	       (!changes->counting ||
		counting_setter(k, changes) != SET_BY_OTHER);
}

/* Call before force is released: until then a change of counting does not
 * affect the power manager (xnu kpc_common.c, 760-780). A refused step stays
 * recorded for a retry. */
static bool
restore_setup(const struct kperf_api *k, const struct kperf_found *f,
	      struct kperf_changes *changes, bool *counting_ours)
{
	uint32_t found = f->counting & ~KPC_CLASS_POWER_MASK;
	enum setter words =
		changes->words ? words_setter(k, changes) : SET_BY_US;
	enum setter counting =
		changes->counting ? counting_setter(k, changes) : SET_BY_OTHER;
	bool words_ours = words == SET_BY_US, ok = true;

	*counting_ours = false;
	/* The state is unreadable: a later call may succeed. */
	if (words == SET_BY_UNKNOWN || counting == SET_BY_UNKNOWN)
		return false;
	/* If the words are another program's, so is counting. */
	*counting_ours = counting == SET_BY_US && words_ours;
	if (*counting_ours)
		ok = set_counting(k, changes, 0);
	/* Latent words without counting have no effect. */
	if (changes->latent && (!*counting_ours || (found & KPERF_SLOTS) == 0))
		changes->words = false;
	changes->words = changes->words && words_ours &&
			 !set_words(k, changes, &f->words);
	if (*counting_ours && found != 0)
		ok = set_counting(k, changes, found) && ok;
	changes->counting = *counting_ours && (changes->words || !ok);
	return ok && !changes->words;
}

bool
kperf_counters_to_restore(const struct kperf_changes *changes)
{
	return changes->force || changes->counting || changes->words ||
	       changes->threads;
}

bool
kperf_counters_pause(const struct kperf_api *k, const struct kperf_found *f,
		     struct kperf_changes *changes)
{
	bool counting_ours = false, ok;

	if (!changes->words && !changes->counting)
		return true;
	ok = restore_setup(k, f, changes, &counting_ours);
	/* Counting stays recorded: kperf_counters_release restores it once more
	 * after force ends. */
	if (counting_ours && !changes->counting)
		changes->counting = note_counting(k, changes);
	return ok;
}

bool
kperf_counters_release(const struct kperf_api *k, const struct kperf_found *f,
		       struct kperf_changes *changes)
{
	bool counting_ours = false,
	     ok = kperf_counters_restore_threads(k, f, changes);

	if (changes->words || changes->counting)
		ok = restore_setup(k, f, changes, &counting_ours) && ok;
	/* Keep force: nothing can be restored without it. */
	if (changes->words || changes->counting)
		return false;
	changes->force = changes->force && k->kpc_force_all_ctrs_set(0) != 0 &&
			 k->kpc_force_all_ctrs_set(0) != 0;
	ok = ok && !changes->force;
	if (counting_ours && note_counting(k, changes) &&
	    changes->counting_is != f->counting) {
		changes->counting = !set_counting(k, changes, f->counting);
		ok = ok && !changes->counting;
	}
	return ok;
}

unsigned
kperf_rows_most(int (*sysctl)(const char *name, void *old, size_t *old_size,
			      const void *fresh, size_t fresh_size))
{
	static const char *const name[] = { "hw.ncpu", "hw.logicalcpu_max",
					    "hw.physicalcpu_max" };
	uint32_t most = 0;

	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		uint32_t n = 0;
		size_t size = sizeof n;

		if (sysctl(name[i], &n, &size, NULL, 0) == 0 && n > most &&
		    n <= UINT16_MAX)
			most = n;
	}
	return most;
}

/* No counter reaches this value: totals since boot stay below 2^63. */
#define SENTINEL 0xfedcba9876543210ull

int
kperf_rows_read(const struct kperf_api *k, uint32_t classes, uint64_t *row,
		size_t len)
{
	int cpu = 0, rc;

	for (size_t i = 0; i < len; i++)
		row[i] = SENTINEL;
	errno = 0;
	rc = k->kpc_get_cpu_counters(true, classes, &cpu, row);
	return rc == 0 ? 0 : kperf_result_errno(rc);
}

bool
kperf_row_written(const uint64_t *row, unsigned a, unsigned b)
{
	return row[a] != SENTINEL && row[b] != SENTINEL;
}

bool
kperf_words_get(const struct kperf_api *k, struct kperf_words *out)
{
	memset(out, 0, sizeof *out);
	errno = 0;
	out->len = k->kpc_get_config_count(KPERF_SLOTS);
	if (out->len == 0 || out->len > KPC_MAX_COUNTERS) {
		out->len = 0;
		return false;
	}
	if (k->kpc_get_config(KPERF_SLOTS, out->word) == 0)
		return true;
	out->len = 0;
	return false;
}

bool
kperf_words_same_events(const struct kperf_words *a,
			const struct kperf_words *b)
{
	if (a->len != b->len)
		return false;
	for (unsigned i = 0; i < a->len; i++) {
		uint64_t differ = a->word[i] ^ b->word[i];

		if ((differ & KPC_CONFIG_EVENT_16) != 0)
			return false;
	}
	return true;
}

bool
kperf_words_equal(const struct kperf_words *a, const struct kperf_words *b)
{
	return a->len == b->len &&
	       memcmp(a->word, b->word, a->len * sizeof a->word[0]) == 0;
}

static bool
plan_refused(struct kperf_refusal *why, const char *call, int code)
{
	why->call = call;
	why->code = code;
	why->why = errno;
	return false;
}

static bool
add_plan_events(const struct kperfdata_api *kpep, struct kpep_config *config,
		struct kperf_plan *out, bool user_only,
		struct kperf_refusal *why)
{
	for (unsigned i = 0; i < out->n; i++) {
		int rc = kpep->kpep_config_add_event(config, &out->live[i],
						     user_only ? 1 : 0,
						     &why->holders);

		why->event = i;
		if (rc != 0)
			return plan_refused(why, "kpep_config_add_event", rc);
	}
	return true;
}

static bool
copy_plan_words(const struct kperfdata_api *kpep, struct kpep_config *config,
		struct kperf_plan *out, struct kperf_refusal *why)
{
	size_t n = 0;
	int rc = kpep->kpep_config_kpc_classes(config, &out->classes);

	if (rc != 0)
		return plan_refused(why, "kpep_config_kpc_classes", rc);
	rc = kpep->kpep_config_kpc_count(config, &n);
	if (rc != 0 || n > KPC_MAX_COUNTERS)
		return plan_refused(why, "kpep_config_kpc_count",
				    rc != 0 ? rc : KPEP_BUFFER_TOO_SMALL);
	rc = kpep->kpep_config_kpc_map(config, out->map, sizeof out->map);
	if (rc != 0)
		return plan_refused(why, "kpep_config_kpc_map", rc);
	rc = kpep->kpep_config_kpc(config, out->words.word,
				   sizeof out->words.word);
	if (rc != 0)
		return plan_refused(why, "kpep_config_kpc", rc);
	out->words.len = (unsigned)n;
	return true;
}

bool
kperf_plan_build(const struct kperfdata_api *kpep, struct kpep_db *db,
		 struct kpep_event *const *event, unsigned n, bool user_only,
		 struct kperf_plan *out, struct kperf_refusal *why)
{
	struct kpep_config *config = NULL;

	memset(why, 0, sizeof *why);
	memset(out, 0, sizeof *out);
	out->n = n;
	for (unsigned i = 0; i < n; i++)
		out->live[i] = event[i];
	errno = 0;
	int rc = kpep->kpep_config_create(db, &config);
	if (rc != 0 || config == NULL)
		return plan_refused(why, "kpep_config_create", rc);
	rc = kpep->kpep_config_force_counters(config);
	bool ok =
		rc == 0 || plan_refused(why, "kpep_config_force_counters", rc);
	ok = ok && add_plan_events(kpep, config, out, user_only, why) &&
	     copy_plan_words(kpep, config, out, why);
	kpep->kpep_config_free(config);
	return ok;
}
