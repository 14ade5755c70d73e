#include "source/kperf/kperf.h"

#include "base/bits.h"
#include "base/plural.h"
#include "source/kperf/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void
fill_catalog_event(struct event *ev, const struct kps_event *live,
		   const struct pmu *pmu, bool layout_known,
		   uint32_t fixed_bits)
{
	const struct pmu_event *ours =
		pmu == NULL ? NULL : pmu_event_find(pmu, live->name);

	ev->name = live->name;
	ev->alias = live->alias;
	if (ev->alias == NULL && ours != NULL)
		ev->alias = ours->as;
	ev->narrow = ours != NULL && ours->narrow;
	ev->less = ours != NULL ? ours->less : NULL;
	if (layout_known) {
		ev->counters = live->counters;
		ev->number = live->number < 0 ? 0 : (uint32_t)live->number;
	} else if (ours != NULL) {
		ev->counters = ours->counters;
		ev->number = ours->number;
	}
	ev->fixed = live->fixed || (ev->counters & fixed_bits) != 0;
	if (ev->fixed)
		ev->number = 0;
	ev->text = ours != NULL && ours->text != NULL ? ours->text
						      : live->description;
}

static unsigned
count_events(const struct kps_database *d)
{
	unsigned n = 0;

	while (kps_database_event(d, n) != NULL)
		n++;
	return n;
}

static bool
database_err(struct err *e, const struct kps_error *from)
{
	struct err why = { ERR_NONE, "" };

	if (from->framework_code == 0)
		return err_set(e, ERR_FAIL, "%s", from->text);
	(void)kperf_fail_kpep(&why, from->call, from->framework_code,
			      from->sys_errno);
	return err_set(e, why.code,
		       "only cycles and instructions can be counted: %s",
		       why.text);
}

/* The internal name ("a14") is only in the framework's private struct. */
static void
name_catalog(struct kperf_catalog *c, const struct pmu *pmu)
{
	const char *name = kps_database_name(c->database);

	if (name[0] == '\0' && pmu != NULL)
		name = pmu->db;
	strncat(c->name, name, sizeof c->name - 1);
	c->catalog.name = c->name;
}

bool
kperf_catalog_load(struct kperf_catalog *c, const struct kperfdata_api *kpep,
		   const struct pmu *pmu, struct err *e)
{
	struct kps_error why;

	memset(c, 0, sizeof *c);
	c->database = kps_database_new(kpep, NULL, &why);
	if (c->database == NULL)
		return database_err(e, &why);
	const struct kps_database *d = c->database;
	c->db = kps_database_raw(d);
	name_catalog(c, pmu);
	c->fixed_bits = kps_database_counter_bits(d, KPC_CLASS_FIXED);
	c->catalog.config_counters =
		kps_database_counter_bits(d, KPC_CLASS_CONFIGURABLE);
	unsigned n = count_events(d);
	c->event = calloc(n + 1, sizeof *c->event);
	c->live = calloc(n + 1, sizeof(struct kpep_event *));
	if (c->event == NULL || c->live == NULL) {
		kperf_catalog_free(c);
		return err_set(e, ERR_FAIL, "event database: out of memory");
	}
	for (unsigned i = 0; i < n; i++) {
		const struct kps_event *live = kps_database_event(d, i);

		fill_catalog_event(&c->event[i], live, pmu,
				   kps_database_event_layout(d) != 0,
				   c->fixed_bits);
		c->live[i] = kps_event_raw(d, live);
	}
	c->catalog.event = c->event;
	c->catalog.len = n;
	return true;
}

void
kperf_catalog_free(struct kperf_catalog *c)
{
	free(c->event);
	free(c->live);
	kps_database_free(c->database);
	memset(c, 0, sizeof *c);
}

static bool
find_live_events(const struct kperf_source *s, const struct eventset *set,
		 struct kpep_event **live, struct err *e)
{
	const struct catalog *c = &s->events.catalog;

	for (unsigned i = 0; i < set->len; i++) {
		const struct event *ev = set->slot[i].event;

		if (ev < c->event || (size_t)(ev - c->event) >= c->len)
			return err_set(
				e, ERR_USAGE,
				"event %s is not in this machine's database",
				ev->name);
		live[i] = s->events.live[ev - c->event];
	}
	return true;
}

static bool
explain_refusal(const struct kperf_refusal *why, const struct eventset *set,
		struct err *e)
{
	char doing[EVENT_NAME_SIZE + 16];

	if (strcmp(why->call, "kpep_config_add_event") != 0)
		return kperf_fail_kpep(e, why->call, why->code, why->why);
	snprintf(doing, sizeof doing, "placing %s",
		 set->slot[why->event].event->name);
	return kperf_fail_kpep(e, doing, why->code, why->why);
}

static bool
check_plan(const struct kperf_source *s, const struct kperf_plan *p,
	   struct kpep_event *const *live, const struct eventset *set,
	   unsigned *column, struct err *e)
{
	for (unsigned i = 0; i < set->len; i++) {
		const struct slot *slot = &set->slot[i];
		unsigned at = bits_below(s->events.catalog.config_counters,
					 slot->counter);

		if (p->live[i] != live[i])
			return err_set(
				e, ERR_FAIL,
				"the framework would count another event instead of %s",
				slot->event->name);
		/* map[] counts from the first configurable counter, since no
		 * event of the set is fixed. */
		if (p->map[i] != at)
			return err_set(
				e, ERR_FAIL,
				"%s: ktop places this event on counter %u, the framework on configurable counter %zu (from 0)",
				slot->event->name, slot->counter, p->map[i]);
		column[i] = s->nfixed + at;
	}
	if (p->classes != KPERF_SLOTS || p->words.len == 0)
		return err_set(
			e, ERR_FAIL,
			"the framework requires classes %#x and %u %s for this set",
			p->classes, p->words.len,
			plural(p->words.len, "word", "words"));
	return true;
}

static bool
words_build(const struct kperf_source *s, const struct eventset *set,
	    struct kperf_words *out, unsigned *column, struct err *e)
{
	struct kpep_event *live[EVENTSET_MAX];
	struct kperf_refusal why;
	struct kperf_plan p;

	memset(out, 0, sizeof *out);
	if (!find_live_events(s, set, live, e))
		return false;
	if (!kperf_plan_build(s->kpep, s->events.db, live, set->len,
			      s->user_only, &p, &why))
		return explain_refusal(&why, set, e);
	if (!check_plan(s, &p, live, set, column, e))
		return false;
	*out = p.words;
	return true;
}

static enum domain
word_domain(uint64_t word)
{
	bool user = (word & (KPC_CONFIG_EL0_64 | KPC_CONFIG_EL0_32)) != 0;
	bool kernel = (word & KPC_CONFIG_EL1) != 0;

	if (user)
		return kernel ? DOMAIN_ALL : DOMAIN_USER;
	return kernel ? DOMAIN_KERNEL : DOMAIN_NONE;
}

static enum domain
words_domain(const struct kperf_words *w)
{
	enum domain all = DOMAIN_NONE;
	bool first = true;

	for (unsigned i = 0; i < w->len; i++) {
		enum domain d = word_domain(w->word[i]);

		if ((w->word[i] & KPC_CONFIG_EVENT_16) == 0)
			continue; /* unused counter */
		if (!first && d != all)
			return DOMAIN_MIXED;
		all = d;
		first = false;
	}
	return all;
}

static bool
may_program(const struct kperf_source *s, struct err *e)
{
	const struct source_info *info = &s->source.info;

	if (s->ipc_only)
		return err_set(
			e, ERR_USAGE,
			"fixed counters only (--ipc); start ktop without --ipc to count events");
	if (s->intel)
		return err_set(
			e, ERR_NO_PMU,
			"on Intel Macs ktop counts cycles and instructions only");
	/* info->mode is not checked: it is SOURCE_BUSY_ONLY while readings
	 * fail, which may be over. */
	if (s->events.db == NULL || s->mode == SOURCE_BUSY_ONLY) {
		if (e != NULL)
			*e = info->why;
		return false;
	}
	return true;
}

static void
restore_set(struct kperf_source *s)
{
	if (s->mode != SOURCE_FULL) {
		kperf_release(s, NULL);
		return;
	}
	if (!kperf_program_words(s, &s->words, NULL) &&
	    !kperf_program_words(s, &s->words, NULL))
		s->taken_over = true;
}

static bool
program_new_words(struct kperf_source *s, const struct eventset *set,
		  struct kperf_words *w, const unsigned *column, uint32_t *out,
		  struct err *e)
{
	struct err why = { ERR_NONE, "" };

	if ((s->mode == SOURCE_FULL || kperf_acquire(s, &why)) &&
	    kperf_program_accepted(s, w, set, column, out, &why))
		return true;
	restore_set(s);
	if (e != NULL)
		*e = why;
	return false;
}

static bool
adopt_set(struct kperf_source *s, const struct eventset *set, struct err *e)
{
	struct source_info *info = &s->source.info;
	unsigned column[EVENTSET_MAX] = { 0 };
	struct kperf_words w;
	struct err why;
	uint32_t out;

	if (!may_program(s, e))
		return false;
	if (set->len == 0)
		return err_set(
			e, ERR_USAGE,
			"the event set is empty; name an event or a preset");
	if (!words_build(s, set, &w, column, e))
		return false;
	if (!program_new_words(s, set, &w, column, &out, &why)) {
		kperf_explain_root(s, &why);
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
	info->domain = words_domain(&s->changes.words_are);
	s->why = info->why = (struct err){ ERR_NONE, "" };
	s->left_out = 0;
	kperf_drop_refused(s, out);
	s->baseline = true;
	s->taken_over = s->refused = false;
	return true;
}

static bool
release_set(struct kperf_source *s, struct err *e)
{
	struct source_info *info = &s->source.info;
	struct err why = { ERR_NONE, "" };
	bool ok = !kperf_counters_to_restore(&s->changes) ||
		  kperf_release(s, NULL);

	if (!ok)
		err_set(&why, ERR_FAIL,
			"cannot restore the counters; ktop tries again at every reading and when it ends");
	if (s->mode != SOURCE_FULL) {
		if (!ok && e != NULL)
			*e = why;
		return ok;
	}
	kperf_notice(s, why.text);
	err_set(&s->why, ERR_NONE,
		"configurable counters released; press i to reacquire them");
	s->mode = SOURCE_IPC;
	if (info->mode == SOURCE_FULL) {
		info->mode = SOURCE_IPC;
		info->why = s->why;
	}
	s->set = (struct eventset){ .len = 0 };
	s->left_out = 0;
	info->domain = DOMAIN_NONE;
	s->baseline = true;
	s->taken_over = false;
	if (!ok && e != NULL)
		*e = why;
	return ok;
}

bool
kperf_program(struct source *base, const struct eventset *set, struct err *e)
{
	struct kperf_source *s = kperf_of(base);
	bool ok = set == NULL ? release_set(s, e) : adopt_set(s, set, e);

	/* Even a refused attempt has interrupted the previous set. */
	s->baseline = s->baseline || s->mode == SOURCE_FULL;
	return ok;
}
