#include "source/kperf/kperf.h"
#include "source/kperf/state.h"

#include <string.h>

static bool
may_program(const struct kperf_source *s, struct err *e)
{
	const struct source_info *info = &s->source.info;

	if (s->ipc_only)
		return err_set(
			e, ERR_USAGE,
			"IPC mode was asked for: ktop leaves the counters alone; start it without --ipc");
	if (s->intel)
		return err_set(
			e, ERR_NO_PMU,
			"on Intel Macs ktop counts cycles and instructions only");
	/* An outage may be over: the kernel is asked. */
	if (s->events.db == NULL || s->mode == SOURCE_BUSY_ONLY) {
		if (e != NULL)
			*e = info->why;
		return false;
	}
	return true;
}

/* What was in force goes on; first time: the machine as found. */
static void
roll_back(struct kperf_source *s)
{
	if (s->mode != SOURCE_FULL) {
		kperf_give_back(s, NULL);
		return;
	}
	/* If even this fails, the next reading tries again. */
	if (!kperf_engage(s, &s->words, NULL) &&
	    !kperf_engage(s, &s->words, NULL))
		s->stolen = true;
}

static bool
engage_new(struct kperf_source *s, const struct eventset *set,
	   struct kperf_words *w, const unsigned *column, uint32_t *out,
	   struct err *e)
{
	struct err why = { ERR_NONE, "" };

	if ((s->mode == SOURCE_FULL || kperf_acquire(s, &why)) &&
	    kperf_engage_most(s, w, set, column, out, &why))
		return true;
	roll_back(s);
	if (e != NULL)
		*e = why;
	return false;
}

static bool
take_set(struct kperf_source *s, const struct eventset *set, struct err *e)
{
	struct source_info *info = &s->source.info;
	unsigned column[EVENTSET_MAX] = { 0 };
	struct kperf_words w;
	struct err why;
	uint32_t out;

	if (!may_program(s, e))
		return false;
	if (set->len == 0)
		return err_set(e, ERR_USAGE, "the event set is empty");
	if (!kperf_words_build(s, set, &w, column, e))
		return false;
	if (!engage_new(s, set, &w, column, &out, &why)) {
		kperf_say_root(s, &why);
		if (s->mode != SOURCE_FULL)
			s->why = info->why = why;
		if (e != NULL)
			*e = why;
		return false;
	}
	s->set = *set;
	s->words = w;
	memcpy(s->column, column, sizeof column);
	s->mode = info->mode = SOURCE_FULL;
	info->domain = kperf_words_domain(&s->held.words_are);
	s->why = info->why = (struct err){ ERR_NONE, "" };
	s->left_out = 0;
	kperf_note_refused(s, out);
	s->baseline = true;
	s->stolen = s->refused = false;
	return true;
}

static bool
release(struct kperf_source *s, struct err *e)
{
	struct source_info *info = &s->source.info;
	struct err why = { ERR_NONE, "" };
	bool ok = !kperf_holds(&s->held) || kperf_give_back(s, NULL);

	if (!ok)
		err_set(&why, ERR_FAIL,
			"the counters could not be given back; ktop tries again with every reading, and when it ends");
	if (s->mode != SOURCE_FULL) { /* from an earlier one, if at all */
		if (!ok && e != NULL)
			*e = why;
		return ok;
	}
	kperf_notice(s, why.text);
	err_set(&s->why, ERR_NONE,
		"the counters are released for others; i takes them again");
	s->mode = SOURCE_IPC;
	if (info->mode == SOURCE_FULL) { /* not in an outage */
		info->mode = SOURCE_IPC;
		info->why = s->why;
	}
	s->set = (struct eventset){ .len = 0 };
	s->left_out = 0;
	info->domain = DOMAIN_NONE;
	s->baseline = true;
	s->stolen = false;
	if (!ok && e != NULL)
		*e = why;
	return ok;
}

bool
kperf_program(struct source *base, const struct eventset *set, struct err *e)
{
	struct kperf_source *s = kperf_of(base);
	bool ok = set == NULL ? release(s, e) : take_set(s, set, e);

	/* Refused: the old set stood still between our calls. */
	s->baseline = s->baseline || s->mode == SOURCE_FULL;
	return ok;
}
