#include "source/kperf/state.h"

#include "base/buf.h"
#include "kperf/trace.h"
#include "process/crash.h"

#include <errno.h>
#include <string.h>

/* What the crash handler would have to put right: one pointer, no more. */
static struct kperf_source *volatile rescued;

bool
kperf_refused(struct err *e, const char *call, int why)
{
	switch (why) {
	case EPERM:
		return err_set(
			e, ERR_PERM,
			"the kernel gives the counters to root only (%s); start ktop with sudo",
			call);
	case EACCES:
		return err_set(
			e, ERR_TAKEN,
			"another program holds the counters (%s: EACCES); quit it (Instruments, powermetrics, another ktop) and try again",
			call);
	case EBUSY:
		return err_set(
			e, ERR_TAKEN,
			"another client in the kernel owns the counters (%s: EBUSY); quit Instruments and try again",
			call);
	case ENOENT:
		return err_set(
			e, ERR_NO_PMU,
			"this kernel has no kpc (%s: ENOENT), as in virtual machines; run ktop on the Mac itself",
			call);
	case ENOTSUP:
		return err_set(
			e, ERR_NO_PMU,
			"this processor's counters are too old for kpc (%s: ENOTSUP)",
			call);
	}
	return err_set(e, ERR_FAIL, "%s failed: %s", call, strerror(why));
}

void
kperf_say_root(const struct kperf_source *s, struct err *e)
{
	const struct source_info *info = &s->source.info;

	if (e->code == ERR_PERM && info->mode == SOURCE_BUSY_ONLY &&
	    info->processes)
		err_set(e, ERR_PERM,
			"the kernel gives the counters to root only; start ktop with sudo for them, and for everybody's processes");
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
rescue(void)
{
	struct kperf_source *s = rescued;

	crash_set_rescue(CRASH_COUNTERS, NULL);
	rescued = NULL;
	if (s != NULL)
		kperf_give_back(s, NULL);
}

bool
kperf_fault_err(struct err *e, const struct kperf_fault *f)
{
	switch (f->kind) {
	case KPERF_FAULT_CALL:
		if (f->why == EINVAL &&
		    strcmp(f->call, "kpc_set_counting") == 0)
			return err_set(
				e, ERR_FAIL,
				"the kernel cannot make this set of counters (kpc_set_counting: EINVAL): another tool has left sampling periods that are too long; a restart of the Mac resets them");
		return kperf_refused(e, f->call, f->why);
	case KPERF_FAULT_RESIZED:
		return err_set(
			e, ERR_TAKEN,
			"the number of counters changed while ktop was programming them; quit the other tool and try again");
	case KPERF_FAULT_NOT_OURS:
		return err_set(
			e, ERR_TAKEN,
			"the counters do not read back as ktop set them: another tool is programming them; quit it and try again");
	case KPERF_FAULT_HELD:
		return err_set(
			e, ERR_TAKEN,
			"another program holds the counters and counts with them (Instruments, another ktop); quit it first, or press i to take them from it");
	case KPERF_FAULT_NOT_RESTORED:
		break;
	}
	return err_set(
		e, ERR_FAIL,
		"the counters could not be put back as they were; a restart of the Mac resets them");
}

/*
 * A ktop that was killed while it traced. What is another program's may be
 * meant to go on without it: that is cleared when a person asks.
 */
static void
clear_own(struct kperf_source *s)
{
	const struct kperf_system *system = s->host->system;
	struct kperf_fault f;

	if (system == NULL || !kperf_trace_left_by(system, "ktop") ||
	    !kperf_trace_clear(s->kpc, system, 0, &f))
		return;
	kperf_notice(
		s,
		"a ktop that was killed had left the kernel traced; that is cleared away");
}

bool
kperf_acquire(struct kperf_source *s, struct err *e)
{
	struct kperf_fault f;

	/* Nothing held is nothing to give back: early is not too early. */
	rescued = s;
	crash_set_rescue(CRASH_COUNTERS, rescue);
	if (!kperf_hold_acquire(s->kpc, &s->found, &s->held, &f)) {
		/* Who asks for them after that has been told. */
		s->held.insist = f.kind == KPERF_FAULT_HELD;
		return kperf_fault_err(e, &f);
	}
	s->held.insist = false;
	clear_own(s);
	s->stride = kperf_counters(s, KPERF_BOTH);
	if (s->stride == 0)
		return kperf_refused(e, "kpc_get_counter_count",
				     kperf_errno(-1));
	return true;
}

bool
kperf_engage(struct kperf_source *s, const struct kperf_words *w, struct err *e)
{
	struct kperf_fault f;

	return kperf_engage_watched(s, w, &f) || kperf_fault_err(e, &f);
}

/* The words that can be seen without force: ours, with some left out. */
static bool
part_of_ours(const struct kperf_source *s)
{
	const struct kperf_words *ours = &s->held.words_are;
	struct kperf_words now;
	unsigned at = 0;

	if (!kperf_get_words(s, &now) || now.len >= ours->len)
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
kperf_take_force_again(struct kperf_source *s, bool theirs_too)
{
	int force = 1;

	return s->held.force && s->kpc->kpc_force_all_ctrs_get(&force) == 0 &&
	       force == 0 && (theirs_too || part_of_ours(s)) &&
	       kperf_hold_force_again(s->kpc, &s->found, &s->held);
}

bool
kperf_give_back(struct kperf_source *s, struct err *e)
{
	static const struct kperf_fault f = { KPERF_FAULT_NOT_RESTORED, "", 0 };
	bool traced = kperf_traced_stop(s), ok;

	/* Counters that have become the power manager's cannot be put back. */
	(void)kperf_take_force_again(s, false);
	ok = kperf_hold_give_back(s->kpc, &s->found, &s->held);
	if (ok)
		kperf_forget_rescue(s);
	return (ok && traced) || kperf_fault_err(e, &f);
}

void
kperf_forget_rescue(const struct kperf_source *s)
{
	if (rescued != s)
		return;
	crash_set_rescue(CRASH_COUNTERS, NULL);
	rescued = NULL;
}
