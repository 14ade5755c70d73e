/* --events: a set of the person's own choice instead of a preset. */
#include "app/state.h"
#include "options/user_rates.h"

#include <string.h>

#include "model/slots.h"

/* Bytes of the word at s: to a comma outside of slashes (pmu/a=1,b=2/). */
static size_t
word_length(const char *s)
{
	bool inside = false;
	size_t n = 0;

	for (; s[n] != '\0' && (inside || s[n] != ','); n++)
		inside = inside != (s[n] == '/');
	return n;
}

bool
user_find_events(const struct catalog *c, const char *at,
		 const struct event *event[EVENTSET_MAX], unsigned *n,
		 struct err *e)
{
	for (*n = 0;; at++) {
		size_t len = word_length(at);
		const struct event *v = catalog_find_n(c, at, (unsigned)len);

		if (v == NULL)
			return err_set(e, ERR_USAGE,
				       "--events: %s has no event \"%.*s\"; "
				       "--list-events lists what it has",
				       c->name, (int)len, at);
		for (unsigned i = 0; i < *n; i++)
			if (event[i] == v)
				return err_set(e, ERR_USAGE,
					       "--events names %s twice (%.*s)",
					       v->name, (int)len, at);
		if (*n == EVENTSET_MAX)
			return err_set(e, ERR_USAGE,
				       "--events takes at most %d events",
				       EVENTSET_MAX);
		event[(*n)++] = v;
		at += len;
		if (*at == '\0')
			return true;
	}
}

bool
app_program_events(struct app *a, struct err *e)
{
	const struct source_info *i = &a->source->info;
	const struct event *event[EVENTSET_MAX];
	struct eventset set = { .name = "custom" };
	unsigned n;

	if (i->catalog == NULL)
		return err_set(e, ERR_NO_PMU, "--events: %s", i->why.text);
	if (!user_find_events(i->catalog, a->o->source.events, event, &n, e) ||
	    !slots_place(i->catalog, event, n, &set, e) ||
	    !a->source->ops->program(a->source, &set, e))
		return false;
	a->set = set;
	app_baseline(a);
	return true;
}
