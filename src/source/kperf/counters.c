#include "source/kperf/state.h"

#include "base/bits.h"
#include "base/buf.h"
#include "kperf/trace.h"
#include "process/crash.h"

#include <errno.h>
#include <string.h>

static struct kperf_source *volatile crash_source;

bool
kperf_fail_call(struct err *e, const char *call, int why)
{
	switch (why) {
	case EPERM:
		return err_set(
			e, ERR_PERM,
			"only root may use the counters (%s): start ktop with sudo",
			call);
	case EACCES:
		return err_set(
			e, ERR_TAKEN,
			"counters are in use by another program (%s: EACCES): quit Instruments, mactop, powermetrics or the other ktop, then try again",
			call);
	case EBUSY:
		return err_set(
			e, ERR_TAKEN,
			"counters are in use by the kernel (%s: EBUSY): quit Instruments and try again",
			call);
	case ENOENT:
		return err_set(
			e, ERR_NO_PMU,
			"this kernel has no counters (%s: ENOENT), as in virtual machines; run ktop on the Mac itself",
			call);
	case ENOTSUP:
		return err_set(
			e, ERR_NO_PMU,
			"macOS does not support the counters of this processor (%s: ENOTSUP)",
			call);
	}
	return err_set(e, ERR_FAIL, "%s failed: %s", call,
		       why != 0 ? strerror(why) : "no reason given");
}

bool
kperf_fail_kpep(struct err *e, const char *doing, int code, int why)
{
	enum err_code means = ERR_FAIL;
	const char *text, *advice = "";

	if (code == KPEP_ERRNO)
		return kperf_fail_call(e, doing, why);
	text = code < 0 || code > KPEP_NO_COUNTERS
		       ? NULL
		       : kps_status_text(
				 (enum kps_status)(KPS_KPEP_NONE + code));
	if (text == NULL)
		return err_set(e, ERR_FAIL, "%s: unknown error %d of kperfdata",
			       doing, code);
	if (code == KPEP_SYSTEM_UNKNOWN || code == KPEP_DB_NOT_FOUND)
		advice = "; is this system older than its chip? Update macOS";
	if (advice[0] != '\0' || code == KPEP_ARCH_UNSUPPORTED ||
	    code == KPEP_VERSION_UNSUPPORTED)
		means = ERR_NO_PMU;
	return err_set(e, means, "%s: %s (code %d)%s", doing, text, code,
		       advice);
}

void
kperf_explain_root(const struct kperf_source *s, struct err *e)
{
	const struct source_info *info = &s->source.info;

	if (e->code == ERR_PERM && info->mode == SOURCE_BUSY_ONLY &&
	    info->processes)
		err_set(e, ERR_PERM,
			"only root may use the counters and see the processes of all users; start ktop with sudo");
}

void
kperf_notice(struct kperf_source *s, const char *text)
{
	struct source_info *info = &s->source.info;
	struct buf b = buf_over(info->notice, sizeof info->notice);

	buf_str(&b, text);
	buf_cstr(&b);
}

static void
restore_on_crash(void)
{
	struct kperf_source *s = crash_source;

	crash_set_rescue(CRASH_COUNTERS, NULL);
	crash_source = NULL;
	if (s != NULL)
		kperf_release(s, NULL);
}

static bool
fault_err(struct err *e, const struct kperf_fault *f)
{
	switch (f->kind) {
	case KPERF_FAULT_CALL:
		if (f->why == EINVAL &&
		    strcmp(f->call, "kpc_set_counting") == 0)
			return err_set(
				e, ERR_FAIL,
				"the kernel refuses this set of counters (kpc_set_counting: EINVAL): another tool has left sampling periods that are too long; restart the Mac to reset them");
		return kperf_fail_call(e, f->call, f->why);
	case KPERF_FAULT_RESIZED:
		return err_set(
			e, ERR_TAKEN,
			"another tool changed the number of counters while ktop was programming them; quit that tool and try again");
	case KPERF_FAULT_NOT_OURS:
		return err_set(
			e, ERR_TAKEN,
			"the counters do not have the settings that ktop wrote: another tool is programming them; quit that tool and try again");
	case KPERF_FAULT_IN_USE:
		return err_set(
			e, ERR_TAKEN,
			"counters are in use by another program that is counting: quit Instruments, mactop or the other ktop, or press i to take over the counters");
	case KPERF_FAULT_NOT_RESTORED:
		break;
	}
	return err_set(
		e, ERR_FAIL,
		"cannot restore the counters; restart the Mac to reset them");
}

/* Clears kernel tracing left by a killed ktop only: tracing left by another
 * program may be intentional. */
static void
clear_own_tracing(struct kperf_source *s)
{
	const struct kperf_system *system = s->host->system;
	struct kperf_fault f;

	if (system == NULL || !kperf_trace_is_stale_of(system, "ktop") ||
	    !kperf_trace_clear(s->kpc, system, 0, &f))
		return;
	kperf_notice(
		s,
		"a killed ktop had left kernel tracing on; ktop has switched it off");
}

bool
kperf_acquire(struct kperf_source *s, struct err *e)
{
	struct kperf_fault f;

	/* The crash handler may be set before the acquisition: nothing is
	 * restored then. */
	crash_source = s;
	crash_set_rescue(CRASH_COUNTERS, restore_on_crash);
	if (!kperf_counters_acquire(s->kpc, &s->found, &s->changes, &f)) {
		/* After a first conflict the next request takes over the
		 * counters. */
		s->changes.take_anyway = f.kind == KPERF_FAULT_IN_USE;
		return fault_err(e, &f);
	}
	s->changes.take_anyway = false;
	clear_own_tracing(s);
	s->stride = kperf_counters_per_row(s->kpc, KPERF_BOTH);
	if (s->stride == 0)
		return kperf_fail_call(e, "kpc_get_counter_count",
				       kperf_result_errno(-1));
	return true;
}

/* Another program may stop and restart counting, which keeps config words and
 * resets all sums. Since macOS 26.5 words take effect at the next start by any
 * program. So ktop leaves different words pending: if they have taken effect,
 * counting was restarted. */

/* False: no word can be changed so that another event counts. */
static bool
make_latent_words(const struct kperf_words *w, struct kperf_words *out)
{
	const uint64_t event = KPC_CONFIG_EVENT_16;
	unsigned first = 0, at;

	while (first < w->len && (w->word[first] & event) == 0)
		first++;
	if (first == w->len)
		return false;
	*out = *w;
	/* Prefer the word of an unused counter. */
	for (at = 0; at < w->len && (w->word[at] & event) != 0; at++)
		;
	if (at == w->len)
		at = first == 0 ? w->len - 1 : 0;
	out->word[at] = w->word[first];
	return !kperf_words_same_events(w, out);
}

/* Writes words of other events, which take effect at the next start of
 * counting. Records them first, so that a release restores them. False: the
 * words took effect at once. */
static bool
write_latent_words(struct kperf_source *s, const struct kperf_words *w)
{
	struct kperf_words pending, copy, now;

	if (s->kpc->kpc_get_config_count(KPERF_SLOTS) != w->len ||
	    !make_latent_words(w, &pending))
		return true;
	s->changes.words_next = copy = pending;
	if (s->kpc->kpc_set_config(KPERF_SLOTS, copy.word) != 0) {
		s->changes.words_next.len = 0;
		return true;
	}
	return !kperf_words_get(s->kpc, &now) ||
	       !kperf_words_same_events(&now, &pending);
}

/* Also writes pending words, if words are latent. */
static bool
program_watched(struct kperf_source *s, const struct kperf_words *w,
		struct kperf_fault *f)
{
	s->epoch++;
	if (!kperf_counters_program(s->kpc, &s->found, &s->changes, w, f))
		return false;
	if (!s->changes.latent || s->at_once || write_latent_words(s, w))
		return true;
	s->at_once = true; /* pending words took effect: program `w` again */
	return kperf_counters_program(s->kpc, &s->found, &s->changes, w, f);
}

bool
kperf_was_restarted(const struct kperf_source *s, const struct kperf_words *now)
{
	return s->changes.latent && s->changes.words_next.len != 0 &&
	       kperf_words_same_events(now, &s->changes.words_next);
}

bool
kperf_program_words(struct kperf_source *s, const struct kperf_words *w,
		    struct err *e)
{
	struct kperf_fault f;

	return program_watched(s, w, &f) || fault_err(e, &f);
}

static bool
is_part_of_ours(const struct kperf_source *s)
{
	const struct kperf_words *ours = &s->changes.words_are;
	struct kperf_words now;
	unsigned at = 0;

	if (!kperf_words_get(s->kpc, &now) || now.len >= ours->len)
		return false;
	for (unsigned i = 0; i < now.len; i++, at++) {
		while (at < ours->len && ours->word[at] != now.word[i])
			at++;
		if (at == ours->len)
			return false;
	}
	return true;
}

bool
kperf_force_again(struct kperf_source *s, bool theirs_too)
{
	int force = 1;

	return s->changes.force &&
	       s->kpc->kpc_force_all_ctrs_get(&force) == 0 && force == 0 &&
	       (theirs_too || is_part_of_ours(s)) &&
	       kperf_counters_force_again(s->kpc, &s->found, &s->changes);
}

bool
kperf_release(struct kperf_source *s, struct err *e)
{
	static const struct kperf_fault f = { KPERF_FAULT_NOT_RESTORED, "", 0 };
	bool traced = kperf_traced_stop(s), ok;

	(void)kperf_force_again(s, false);
	ok = kperf_counters_release(s->kpc, &s->found, &s->changes);
	if (ok)
		kperf_clear_rescue(s);
	return (ok && traced) || fault_err(e, &f);
}

void
kperf_clear_rescue(const struct kperf_source *s)
{
	if (crash_source != s)
		return;
	crash_set_rescue(CRASH_COUNTERS, NULL);
	crash_source = NULL;
}

static void
put_event_names(struct buf *b, const struct eventset *set, uint32_t out)
{
	enum { NAMED = 2 };
	unsigned n = bits_count(out), at = 0;

	for (unsigned i = 0; i < set->len && at < NAMED; i++) {
		if ((out >> i & 1) == 0)
			continue;
		if (at++ > 0)
			buf_str(b, n > NAMED ? ", " : " and ");
		buf_str(b, set->slot[i].event->name);
	}
	if (n > NAMED)
		buf_printf(b, " and %u more", n - NAMED);
}

static void
kperf_refused_text(const struct kperf_source *s, const struct eventset *set,
		   uint32_t out, char *text, size_t size)
{
	struct buf b = buf_over(text, size);
	unsigned n = bits_count(out);

	buf_str(&b, "macOS refuses ");
	if (n == set->len && n > 1) {
		buf_printf(
			&b,
			"all %u events of this set (database %s); %s. Please send `sudo ktop doctor`",
			n, s->events.catalog.name,
			s->mode == SOURCE_FULL && !s->taken_over
				? "the previous set still counts"
				: "cycles and instructions still count (fixed counters only)");
	} else {
		put_event_names(&b, set, out);
		if (n == set->len)
			buf_str(&b,
				", which is all of this set; another preset may count");
		else
			buf_printf(&b, "; the metrics that need %s are omitted",
				   n == 1 ? "it" : "them");
	}
	buf_cstr(&b);
}

bool
kperf_program_accepted(struct kperf_source *s, struct kperf_words *w,
		       const struct eventset *set, const unsigned *column,
		       uint32_t *out, struct err *e)
{
	uint32_t places = 0, refused, asked = 0;
	struct kperf_fault f;
	char text[200];

	*out = 0;
	for (unsigned i = 0; i < set->len; i++) {
		places |= 1u << (column[i] - s->nfixed);
		if (w->word[column[i] - s->nfixed] != 0)
			asked |= 1u << (column[i] - s->nfixed);
	}
	if (program_watched(s, w, &f))
		return true;
	fault_err(e, &f);
	if (!kperf_counters_find_refused(s->kpc, &s->changes, &f, w, places,
					 &refused))
		return false;
	if (refused == 0)
		return err_set(
			e, ERR_PERM,
			"macOS refuses this set of events, though it accepts each event alone; try another preset");
	if (refused == asked) {
		kperf_refused_text(s, set, (1u << set->len) - 1, text,
				   sizeof text);
		return err_set(e, ERR_PERM, "%s", text);
	}
	for (unsigned i = 0; i < w->len; i++)
		if ((refused >> i & 1) != 0)
			w->word[i] = 0;
	if (!kperf_program_words(s, w, e))
		return false;
	for (unsigned i = 0; i < set->len; i++)
		*out |= (refused >> (column[i] - s->nfixed) & 1) << i;
	return true;
}

void
kperf_notice_refused(struct kperf_source *s)
{
	char text[200] = "";

	if (s->left_out != 0)
		kperf_refused_text(s, &s->set, s->left_out, text, sizeof text);
	kperf_notice(s, text);
}

void
kperf_drop_refused(struct kperf_source *s, uint32_t out)
{
	for (unsigned i = 0; i < s->set.len; i++)
		if ((out & ~s->left_out) >> i & 1)
			eventset_drop(&s->set, s->set.slot[i].event->name,
				      "macOS refuses it (EPERM)");
	s->left_out |= out;
	kperf_notice_refused(s);
}
