#include "source/kperf_state.h"

#include "kperf/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool
add_event(const struct kperf_source *s, struct kpep_config *config,
	  const struct slot *slot, struct err *e)
{
	const struct catalog *c = &s->events.catalog;
	size_t i = (size_t)(slot->event - c->event);
	struct kpep_event *live;
	char doing[EVENT_NAME_SIZE + 16];
	int rc;

	/* A set derived from another catalog has no pointer of this one. */
	if (slot->event < c->event || i >= c->len)
		return err_set(e, ERR_USAGE,
			       "event %s is not of this machine's database",
			       slot->event->name);
	live = s->events.live[i];
	snprintf(doing, sizeof(doing), "placing %s", slot->event->name);
	rc = s->kpep->kpep_config_add_event(config, &live, s->user_only ? 1 : 0,
					    NULL);
	if (rc != 0)
		return kperf_kpep_err(e, doing, rc, errno);
	if (live != s->events.live[i])
		return err_set(e, ERR_FAIL,
			       "the framework would count another event "
			       "instead of %s",
			       slot->event->name);
	return true;
}

/* Counters of a class are read in ascending order of their bits. */
static unsigned
place_in_class(uint32_t class_bits, unsigned counter)
{
	uint32_t below = class_bits & ((1u << counter) - 1);
	unsigned n = 0;

	for (; below != 0; below &= below - 1)
		n++;
	return n;
}

static bool
check_map(const struct kperf_source *s, struct kpep_config *config,
	  const struct eventset *set, unsigned *column, struct err *e)
{
	size_t map[EVENTSET_MAX] = { 0 };
	int rc = s->kpep->kpep_config_kpc_map(config, map, sizeof(map));

	if (rc != 0)
		return kperf_kpep_err(e, "kpep_config_kpc_map", rc, errno);
	for (unsigned i = 0; i < set->len; i++) {
		unsigned at = place_in_class(s->events.catalog.config_counters,
					     set->slot[i].counter);

		/* Without a fixed event it is relative to the class. */
		if (map[i] != at)
			return err_set(e, ERR_FAIL,
				       "%s: ktop places it on counter %u, the "
				       "framework on place %zu of its class",
				       set->slot[i].event->name,
				       set->slot[i].counter, map[i]);
		column[i] = s->nfixed + at;
	}
	return true;
}

static bool
take_words(const struct kperf_source *s, struct kpep_config *config,
	   struct kperf_words *out, struct err *e)
{
	uint32_t classes = 0;
	size_t n = 0;
	int rc = s->kpep->kpep_config_kpc_classes(config, &classes);

	if (rc == 0)
		rc = s->kpep->kpep_config_kpc_count(config, &n);
	if (rc == 0 && n <= KPC_MAX_COUNTERS)
		rc = s->kpep->kpep_config_kpc(config, out->word,
					      sizeof(out->word));
	if (rc != 0)
		return kperf_kpep_err(e, "kpep_config_kpc", rc, errno);
	if (classes != KPERF_SLOTS || n == 0 || n > KPC_MAX_COUNTERS)
		return err_set(e, ERR_FAIL,
			       "the framework wants classes %#x and %zu words "
			       "for this set",
			       classes, n);
	out->len = (unsigned)n;
	return true;
}

bool
kperf_words_build(const struct kperf_source *s, const struct eventset *set,
		  struct kperf_words *out, unsigned *column, struct err *e)
{
	struct kpep_config *config = NULL;
	bool ok = true;
	int rc;

	memset(out, 0, sizeof(*out));
	rc = s->kpep->kpep_config_create(s->events.db, &config);
	if (rc != 0 || config == NULL)
		return kperf_kpep_err(e, "kpep_config_create", rc, errno);
	rc = s->kpep->kpep_config_force_counters(config);
	if (rc != 0)
		ok = kperf_kpep_err(e, "kpep_config_force_counters", rc, errno);
	for (unsigned i = 0; ok && i < set->len; i++)
		ok = add_event(s, config, &set->slot[i], e);
	ok = ok && check_map(s, config, set, column, e) &&
	     take_words(s, config, out, e);
	s->kpep->kpep_config_free(config);
	return ok;
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
	       memcmp(a->word, b->word, a->len * sizeof(a->word[0])) == 0;
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
