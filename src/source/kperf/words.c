#include "source/kperf/state.h"

#include "base/bits.h"
#include "base/plural.h"
#include "kperf/text.h"

#include <stdio.h>
#include <string.h>

/* The live pointers of a set's events. */
static bool
find_live(const struct kperf_source *s, const struct eventset *set,
	  struct kpep_event **live, struct err *e)
{
	const struct catalog *c = &s->events.catalog;

	for (unsigned i = 0; i < set->len; i++) {
		const struct event *ev = set->slot[i].event;

		/* A set of another catalog has no pointer of this one. */
		if (ev < c->event || (size_t)(ev - c->event) >= c->len)
			return err_set(
				e, ERR_USAGE,
				"event %s is not of this machine's database",
				ev->name);
		live[i] = s->events.live[ev - c->event];
	}
	return true;
}

static bool
refused(const struct kperf_refusal *why, const struct eventset *set,
	struct err *e)
{
	char doing[EVENT_NAME_SIZE + 16];

	if (strcmp(why->call, "kpep_config_add_event") != 0)
		return kperf_kpep_err(e, why->call, why->code, why->why);
	snprintf(doing, sizeof doing, "placing %s",
		 set->slot[why->event].event->name);
	return kperf_kpep_err(e, doing, why->code, why->why);
}

static bool
check_plan(const struct kperf_source *s, const struct kperf_plan *p,
	   struct kpep_event *const *live, const struct eventset *set,
	   unsigned *column, struct err *e)
{
	for (unsigned i = 0; i < set->len; i++) {
		const struct slot *slot = &set->slot[i];
		/* A class is read in ascending order of its counters. */
		unsigned at = bits_below(s->events.catalog.config_counters,
					 slot->counter);

		if (p->live[i] != live[i])
			return err_set(
				e, ERR_FAIL,
				"the framework would count another event instead of %s",
				slot->event->name);
		/* Without a fixed event it is relative to the class. */
		if (p->map[i] != at)
			return err_set(
				e, ERR_FAIL,
				"%s: ktop places it on counter %u, the framework on place %zu of its class",
				slot->event->name, slot->counter, p->map[i]);
		column[i] = s->nfixed + at;
	}
	if (p->classes != KPERF_SLOTS || p->words.len == 0)
		return err_set(
			e, ERR_FAIL,
			"the framework wants classes %#x and %u %s for this set",
			p->classes, p->words.len,
			plural(p->words.len, "word", "words"));
	return true;
}

bool
kperf_words_build(const struct kperf_source *s, const struct eventset *set,
		  struct kperf_words *out, unsigned *column, struct err *e)
{
	struct kpep_event *live[EVENTSET_MAX];
	struct kperf_refusal why;
	struct kperf_plan p;

	memset(out, 0, sizeof *out);
	if (!find_live(s, set, live, e))
		return false;
	if (!kperf_plan_build(s->kpep, s->events.db, live, set->len,
			      s->user_only, &p, &why))
		return refused(&why, set, e);
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

enum domain
kperf_words_domain(const struct kperf_words *w)
{
	enum domain all = DOMAIN_NONE;
	bool first = true;

	for (unsigned i = 0; i < w->len; i++) {
		enum domain d = word_domain(w->word[i]);

		if ((w->word[i] & KPC_CONFIG_EVENT_16) == 0)
			continue; /* an unused counter */
		if (!first && d != all)
			return DOMAIN_MIXED;
		all = d;
		first = false;
	}
	return all;
}
