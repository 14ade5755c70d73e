#include "source/kperf_state.h"

#include "base/buf.h"

#include <errno.h>
#include <string.h>

/* What the crash handler would have to put right: one pointer, no more. */
static struct kperf_source *volatile rescued;

void (*volatile source_rescue)(void);

int
kperf_errno(int result)
{
	if (result > 0)
		return result;
	return errno != 0 ? errno : EIO;
}

bool
kperf_refused(struct err *e, const char *call, int why)
{
	switch (why) {
	case EPERM:
		return err_set(e, ERR_PERM,
			       "the kernel gives the counters to root only "
			       "(%s); start ktop with sudo",
			       call);
	case EACCES:
		return err_set(e, ERR_TAKEN,
			       "another program holds the counters (%s: "
			       "EACCES); quit it (Instruments, powermetrics, "
			       "another ktop) and try again",
			       call);
	case EBUSY:
		return err_set(e, ERR_TAKEN,
			       "another client in the kernel owns the counters "
			       "(%s: EBUSY); quit Instruments and try again",
			       call);
	case ENOENT:
		return err_set(e, ERR_NO_PMU,
			       "this kernel has no kpc (%s: ENOENT), as in "
			       "virtual machines; run ktop on the Mac itself",
			       call);
	case ENOTSUP:
		return err_set(e, ERR_NO_PMU,
			       "this processor's counters are too old for "
			       "kpc (%s: ENOTSUP)",
			       call);
	}
	return err_set(e, ERR_FAIL, "%s failed: %s", call, strerror(why));
}

void
kperf_notice(struct kperf_source *s, const char *text)
{
	struct source_info *info = &s->source.info;
	struct buf b = buf_over(info->notice, sizeof(info->notice));

	buf_str(&b, text);
	buf_cstr(&b);
}

uint32_t
kperf_counters(const struct kperf_source *s, uint32_t classes)
{
	uint32_t n;

	errno = 0;
	n = s->kpc->kpc_get_counter_count(classes);
	if (n == 0 && errno == 0)
		errno = EIO;
	return n <= KPC_MAX_COUNTERS ? n : 0;
}

bool
kperf_counting(const struct kperf_source *s, uint32_t *classes)
{
	/* 0 is "none" as well as "failed"; errno means something only then. */
	errno = 0;
	*classes = s->kpc->kpc_get_counting();
	if (*classes == 0)
		return errno == 0;
	return (*classes & KPC_CLASS_NO_MASK) == 0;
}

bool
kperf_get_words(const struct kperf_source *s, struct kperf_words *out)
{
	memset(out, 0, sizeof(*out));
	errno = 0;
	out->len = s->kpc->kpc_get_config_count(KPERF_SLOTS);
	if (out->len == 0 || out->len > KPC_MAX_COUNTERS) {
		out->len = 0;
		return false;
	}
	/* It fills what the live count says, never more than fits. */
	if (s->kpc->kpc_get_config(KPERF_SLOTS, out->word) == 0)
		return true;
	out->len = 0;
	return false;
}

static void
rescue(void)
{
	struct kperf_source *s = rescued;

	source_rescue = NULL;
	rescued = NULL;
	if (s != NULL)
		kperf_give_back(s, NULL);
}

bool
kperf_acquire(struct kperf_source *s, struct err *e)
{
	const struct kperf_api *k = s->kpc;
	int rc = k->kpc_force_all_ctrs_get(&s->found.force);

	if (rc != 0)
		return kperf_refused(e, "kpc_force_all_ctrs_get",
				     kperf_errno(rc));
	if (!kperf_counting(s, &s->found.counting))
		return kperf_refused(e, "kpc_get_counting", kperf_errno(-1));
	rescued = s;
	source_rescue = rescue;
	/* Before any count is asked for: force changes them all. */
	rc = k->kpc_force_all_ctrs_set(1);
	if (rc != 0)
		return kperf_refused(e, "kpc_force_all_ctrs_set",
				     kperf_errno(rc));
	s->held.force = s->found.force == 0;
	if (!kperf_get_words(s, &s->found.words))
		return kperf_refused(e, "kpc_get_config", kperf_errno(-1));
	s->stride = kperf_counters(s, KPERF_BOTH);
	if (s->stride == 0)
		return kperf_refused(e, "kpc_get_counter_count",
				     kperf_errno(-1));
	return true;
}

static bool
write_words(struct kperf_source *s, const struct kperf_words *w, struct err *e)
{
	uint64_t copy[KPC_MAX_COUNTERS];
	uint32_t n;
	int rc;

	/* The kernel takes as many as it counts, whatever we have. */
	errno = 0;
	n = s->kpc->kpc_get_config_count(KPERF_SLOTS);
	if (n == 0)
		return kperf_refused(e, "kpc_get_config_count",
				     kperf_errno(-1));
	if (n != w->len)
		return err_set(e, ERR_TAKEN,
			       "the number of counters changed while ktop was "
			       "programming them; quit the other tool and try "
			       "again");
	memcpy(copy, w->word, sizeof(copy));
	rc = s->kpc->kpc_set_config(KPERF_SLOTS, copy);
	if (rc != 0)
		return kperf_refused(e, "kpc_set_config", kperf_errno(rc));
	s->held.words = true;
	if (!kperf_get_words(s, &s->held.words_are))
		s->held.words_are.len = 0; /* unknown */
	return true;
}

/*
 * counting 0, words, counting: the order that is right on every macOS. From
 * 26 on new words take effect only when counting starts (kperf-abi: latched).
 */
bool
kperf_engage(struct kperf_source *s, const struct kperf_words *w, struct err *e)
{
	int rc = s->kpc->kpc_set_counting(0);

	if (rc != 0)
		return kperf_refused(e, "kpc_set_counting", kperf_errno(rc));
	s->held.counting = true;
	s->held.counting_is = 0;
	if (!write_words(s, w, e))
		return false;
	rc = s->kpc->kpc_set_counting(KPERF_BOTH);
	if (rc != 0)
		return kperf_refused(e, "kpc_set_counting", kperf_errno(rc));
	s->held.counting_is = KPERF_BOTH;
	/* What the kernel made of it, modes included. */
	if (!kperf_counting(s, &s->held.counting_is) ||
	    !kperf_get_words(s, &s->held.words_are)) {
		rc = kperf_errno(-1);
		s->held.counting_is = KPERF_BOTH;
		return kperf_refused(e, "reading the counters' set-up back",
				     rc);
	}
	if ((s->held.counting_is & KPERF_BOTH) != KPERF_BOTH ||
	    !kperf_words_same_events(&s->held.words_are, w))
		return err_set(e, ERR_TAKEN,
			       "the counters do not read back as ktop set them:"
			       " another tool is programming them; quit it and "
			       "try again");
	return true;
}

/* A single failure must not leave the machine changed: once more. */
static bool
set_counting(struct kperf_source *s, uint32_t classes)
{
	return s->kpc->kpc_set_counting(classes) == 0 ||
	       s->kpc->kpc_set_counting(classes) == 0;
}

static bool
set_words(struct kperf_source *s, struct kperf_words *w)
{
	struct kperf_words one = { .len = w->len };

	if (s->kpc->kpc_set_config(KPERF_SLOTS, w->word) == 0 ||
	    s->kpc->kpc_set_config(KPERF_SLOTS, w->word) == 0)
		return true;
	/*
	 * A kernel client may have set words that are refused to us, and one
	 * refused word refuses the call: keep what is allowed.
	 */
	for (unsigned i = 0; i < w->len; i++) {
		one.word[i] = w->word[i];
		if (s->kpc->kpc_set_config(KPERF_SLOTS, one.word) != 0)
			one.word[i] = 0;
	}
	return s->kpc->kpc_set_config(KPERF_SLOTS, one.word) == 0;
}

/* Does it read as ktop left it? What cannot be read counts as ours. */
static bool
still_counting(struct kperf_source *s)
{
	uint32_t now;

	if (!kperf_counting(s, &now) && !kperf_counting(s, &now))
		return true;
	return now == s->held.counting_is;
}

static bool
still_words(struct kperf_source *s)
{
	struct kperf_words now;

	if (s->held.words_are.len == 0)
		return true;
	if (!kperf_get_words(s, &now) && !kperf_get_words(s, &now))
		return true;
	return kperf_words_equal(&now, &s->held.words_are);
}

/*
 * The order matters: while the power manager's counters are ours a change of
 * counting does not touch the power manager (xnu kpc_common.c, 760-780).
 */
static bool
put_back_set_up(struct kperf_source *s, bool *counting_ours)
{
	uint32_t found = s->found.counting & ~KPC_CLASS_POWER_MASK;
	bool words_ours = !s->held.words || still_words(s);
	bool ok = true;

	/* Words of somebody else: then the counting is theirs as well. */
	*counting_ours = s->held.counting && words_ours && still_counting(s);
	if (*counting_ours)
		ok = set_counting(s, 0);
	if (s->held.words && words_ours)
		ok = set_words(s, &s->found.words) && ok;
	if (*counting_ours && found != 0)
		ok = set_counting(s, found) && ok;
	s->held.words = s->held.counting = false;
	return ok;
}

bool
kperf_give_back(struct kperf_source *s, struct err *e)
{
	bool counting_ours = false, ok = true;
	uint32_t now;

	if (s->held.words || s->held.counting)
		ok = put_back_set_up(s, &counting_ours);
	if (s->held.force && s->kpc->kpc_force_all_ctrs_set(0) != 0 &&
	    s->kpc->kpc_force_all_ctrs_set(0) != 0)
		ok = false;
	s->held.force = false;
	/* With the power class back, or a mask that grew, it can differ. */
	if (counting_ours &&
	    (kperf_counting(s, &now) || kperf_counting(s, &now)) &&
	    now != s->found.counting)
		ok = set_counting(s, s->found.counting) && ok;
	source_rescue = NULL;
	rescued = NULL;
	if (!ok)
		return err_set(e, ERR_FAIL,
			       "the counters could not be put back as they "
			       "were; a restart of the Mac resets them");
	return true;
}
