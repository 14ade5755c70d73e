#include "base/bits.h"

#include <string.h>

#include "base/buf.h"
#include "base/place.h"
#include "model/metric.h"

enum { WANTED_MAX = METRIC_TERMS * 2 * TERM_SUM_MAX };

struct wanted_events {
	const struct event *event[EVENTSET_MAX + WANTED_MAX];
	unsigned n;
};

static bool
wanted_has(const struct wanted_events *w, const struct event *e)
{
	for (unsigned i = 0; i < w->n; i++)
		if (w->event[i] == e)
			return true;
	return false;
}

static bool
want_terms(struct wanted_events *w, const struct term term[METRIC_TERMS],
	   const struct catalog *c)
{
	for (unsigned i = 0; i < METRIC_TERMS && term[i].event != NULL; i++) {
		struct term_events e;

		if (!term_resolve(term[i].event, c, &e))
			return false;
		for (unsigned j = 0; j < e.n; j++)
			if (!e.event[j]->fixed && !wanted_has(w, e.event[j]))
				w->event[w->n++] = e.event[j];
	}
	return true;
}

/* Denominators come first, as several metrics have the same. */
static bool
want_metric(struct wanted_events *w, const struct metric *m,
	    const struct catalog *c)
{
	return want_terms(w, m->den, c) && want_terms(w, m->num, c);
}

static void
take_metric_events(struct wanted_events *taken, const struct metric *m,
		   const struct catalog *c)
{
	struct wanted_events with = *taken;

	if (want_metric(&with, m, c) && with.n <= EVENTSET_MAX &&
	    slots_fit(c, with.event, with.n))
		*taken = with;
}

static unsigned
order_rank(const struct preset *p, const struct event *e)
{
	unsigned i = 0, n = sizeof p->order / sizeof p->order[0];

	while (i < n && p->order[i] != NULL &&
	       strcmp(p->order[i], e->name) != 0)
		i++;
	return i;
}

static void
sort_by_rank(const struct preset *p, struct wanted_events *w)
{
	for (unsigned i = 1; i < w->n; i++) {
		const struct event *e = w->event[i];
		unsigned j = i, r = order_rank(p, e);

		for (; j > 0 && order_rank(p, w->event[j - 1]) > r; j--)
			w->event[j] = w->event[j - 1];
		w->event[j] = e;
	}
}

static void
drop_event(struct eventset *out, const char *event, const char *why)
{
	for (unsigned i = 0; i < out->ndropped; i++)
		if (strcmp(out->dropped[i].event, event) == 0)
			return;
	eventset_drop(out, event, why);
}

static void
take_event(struct wanted_events *taken, const char *name,
	   const struct catalog *c)
{
	const struct event *e = catalog_find(c, name);

	if (e == NULL || e->fixed || wanted_has(taken, e) ||
	    taken->n == EVENTSET_MAX)
		return;
	taken->event[taken->n++] = e;
	if (!slots_fit(c, taken->event, taken->n))
		taken->n--;
}

/* Drops e with a reason: "counters 5,6,7 are taken by metrics before it". */
static void
drop_crowded(struct eventset *out, const struct catalog *c,
	     const struct event *e, const char *by)
{
	char why[80];
	struct buf b = buf_over(why, sizeof why);
	uint32_t mask = e->counters & c->config_counters;

	if (mask == c->config_counters)
		buf_str(&b, "all counters");
	else
		place_put_counters(&b, mask);
	buf_printf(&b, " %s taken by %s before it",
		   bits_count(mask) == 1 ? "is" : "are", by);
	drop_event(out, e->name, buf_cstr(&b));
}

static void
drop_metric_events(struct eventset *out, const struct wanted_events *taken,
		   const struct metric *m, const struct catalog *c)
{
	const char *missing;
	struct wanted_events need = { .n = 0 };

	if (!metric_possible(m, c, &missing)) {
		if (m->optional)
			return;
		const struct event *e = catalog_find(c, missing);

		drop_event(out, missing,
			   e != NULL && e->narrow
				   ? "counts less here than its name says"
				   : "not in this machine's database");
		return;
	}
	(void)want_metric(&need, m, c);
	for (unsigned i = 0; i < need.n; i++)
		if (!wanted_has(taken, need.event[i]))
			drop_crowded(out, c, need.event[i], "metrics");
}

static void
drop_own_event(struct eventset *out, const struct wanted_events *taken,
	       const char *name, const struct catalog *c)
{
	const struct event *e = catalog_find(c, name);

	if (e == NULL)
		drop_event(out, name, "not in this machine's database");
	else if (!e->fixed && !wanted_has(taken, e))
		drop_crowded(out, c, e, "events");
}

static unsigned
preset_find_metrics(const struct preset *p, const struct preset_own *own,
		    const struct metric *found[PRESET_METRICS])
{
	unsigned n = 0;

	for (unsigned i = 0; i < PRESET_METRICS && p->metrics[i] != NULL; i++) {
		int at = metric_find(p->metrics[i]);

		if (at >= 0 && (own != NULL || !metric_table[at].rider))
			found[n++] = &metric_table[at];
	}
	return n;
}

static void
take_kept(struct wanted_events *taken, const struct preset *p,
	  const struct catalog *c)
{
	for (unsigned i = 0; i < PRESET_KEEP && p->keep[i] != NULL; i++) {
		int at = metric_find(p->keep[i]);
		struct term_events e = { .n = 0 };

		if (at >= 0)
			take_metric_events(taken, &metric_table[at], c);
		else
			(void)term_resolve(p->keep[i], c, &e);
		for (unsigned k = 0; k < e.n; k++)
			take_event(taken, e.event[k]->name, c);
	}
}

static bool
comes_late(const struct metric *m, enum domain domain)
{
	return m->not_user && domain == DOMAIN_USER;
}

/* Counters that only SLOT_ events can use are left to presets with top-down
 * shares. */
static bool
tries_spare(const struct preset *p)
{
	for (unsigned i = 0; i < PRESET_METRICS && p->metrics[i] != NULL; i++)
		if (strcmp(p->metrics[i], "bad_spec_pct") == 0)
			return true;
	return false;
}

static struct catalog
without_spare(const struct catalog *c)
{
	struct catalog less = *c;

	less.config_counters = 0;
	for (unsigned i = 0; i < c->len; i++)
		if (strncmp(c->event[i].name, "SLOT_", 5) != 0 ||
		    c->event[i].counters >= 1u << EVENT_FREE_FIRST)
			less.config_counters |= c->event[i].counters;
	less.config_counters &= c->config_counters;
	return less;
}

static bool
derive_set(const struct preset *p, const struct preset_own *own,
	   const struct catalog *all, enum domain domain, struct eventset *out,
	   struct err *e)
{
	const struct catalog less = without_spare(all);
	const struct catalog *c = tries_spare(p) ? all : &less;
	const struct metric *m[PRESET_METRICS];
	unsigned n = preset_find_metrics(p, own, m);
	unsigned nevents = own != NULL ? own->nevents : 0;
	struct wanted_events taken = { .n = 0 };
	struct buf name = buf_over(out->name, sizeof out->name);

	memset(out, 0, sizeof *out);
	buf_str(&name, p->name);
	buf_cstr(&name);
	take_kept(&taken, p, c);
	for (unsigned i = 0; i < nevents; i++)
		take_event(&taken, own->event[i], c);
	for (unsigned i = 0; i < n; i++)
		if (!comes_late(m[i], domain))
			take_metric_events(&taken, m[i], c);
	for (unsigned i = 0; i < n; i++)
		if (comes_late(m[i], domain))
			take_metric_events(&taken, m[i], c);
	for (unsigned i = 0; i < nevents; i++)
		drop_own_event(out, &taken, own->event[i], c);
	if (taken.n == 0)
		return err_set(
			e, ERR_NO_PMU,
			"preset %s: database %s has none of the events it needs; choose another preset",
			p->name, c->name);
	sort_by_rank(p, &taken);
	for (unsigned i = 0; i < n; i++)
		drop_metric_events(out, &taken, m[i], c);
	return slots_place(c, taken.event, taken.n, out, e);
}

bool
preset_derive(const struct preset *p, const struct catalog *c,
	      enum domain domain, struct eventset *out, struct err *e)
{
	return derive_set(p, NULL, c, domain, out, e);
}

bool
preset_derive_own(const struct preset *p, const struct preset_own *own,
		  const struct catalog *c, struct eventset *out, struct err *e)
{
	return derive_set(p, own, c, DOMAIN_NONE, out, e);
}

static uint32_t
possible_counters(const struct catalog *c, const struct event *e)
{
	return e->counters & c->config_counters;
}

/* A catalog may list an event twice. */
static bool
same_event(const struct event *a, const struct event *b)
{
	return a == b || strcmp(a->name, b->name) == 0;
}

enum outcome { PLACED, TWICE, TOO_MANY, CROWDED };

/* `why` numbers events by their position in the arrays. If the outcome is
 * TWICE, `at` is the index of the repeated event. */
struct attempt {
	unsigned index[PLACE_MAX], counter[PLACE_MAX], n;
	uint32_t mask[PLACE_MAX];
	struct place_conflict why;
	unsigned at;
};

static enum outcome
try_placement(const struct catalog *c, const struct event *const *event,
	      unsigned n, struct attempt *a)
{
	*a = (struct attempt){ .n = 0 };
	for (unsigned i = 0; i < n; i++) {
		if (event[i]->fixed)
			continue;
		a->at = i;
		for (unsigned j = 0; j < a->n; j++)
			if (same_event(event[a->index[j]], event[i]))
				return TWICE;
		if (a->n == PLACE_MAX)
			return TOO_MANY;
		a->index[a->n] = i;
		a->mask[a->n++] = possible_counters(c, event[i]);
	}
	if (!place_events(a->mask, a->n, a->counter, &a->why))
		return CROWDED;
	return a->n > EVENTSET_MAX ? TOO_MANY : PLACED;
}

static void
sort_by_counter(struct slot *slot, unsigned n)
{
	for (unsigned i = 1; i < n; i++) {
		struct slot s = slot[i];
		unsigned j = i;

		for (; j > 0 && slot[j - 1].counter > s.counter; j--)
			slot[j] = slot[j - 1];
		slot[j] = s;
	}
}

static uint32_t
real_counters(const struct catalog *c)
{
	return c->config_counters & ((1u << EVENT_FREE_FIRST) - 1);
}

static unsigned
list_competitors(struct buf *b, const struct event *const *event,
		 const struct attempt *a)
{
	unsigned rivals = 0;

	for (unsigned width = 0; width <= 32; width++)
		for (unsigned i = 0; i < a->n; i++) {
			if ((a->why.events >> i & 1) == 0 || i == a->why.last ||
			    bits_count(a->mask[i]) != width)
				continue;
			buf_printf(b, "%s%s", rivals++ > 0 ? ", " : "",
				   event[a->index[i]]->name);
		}
	return rivals;
}

/* Fails with "A, B and C all need counters 5,6,7; ..." */
static bool
fail_crowded(const struct catalog *c, const struct event *const *event,
	     const struct attempt *a, struct err *err)
{
	char text[400];
	struct buf b = buf_over(text, sizeof text);
	uint32_t mask = a->mask[a->why.last] | a->why.counters;
	const char *name = event[a->index[a->why.last]]->name;
	unsigned rivals;

	if (mask == 0)
		return err_set(
			err, ERR_FAIL,
			"no counter of this machine can count %s; remove this event",
			name);
	if (mask == real_counters(c) && bits_count(mask) == 1)
		return err_set(
			err, ERR_FAIL,
			"another event uses the only counter, and %s needs it too; remove an event or use a preset",
			name);
	if (mask == real_counters(c))
		return err_set(
			err, ERR_FAIL,
			"all %u counters are used, and %s needs one more; remove an event or use a preset",
			bits_count(mask), name);
	rivals = list_competitors(&b, event, a);
	buf_printf(&b, " and %s %s need ", name, rivals == 1 ? "both" : "all");
	place_put_counters(&b, mask);
	return err_set(err, ERR_FAIL, "%s; remove an event or use a preset",
		       buf_cstr(&b));
}

bool
slots_place(const struct catalog *c, const struct event *const *event,
	    unsigned n, struct eventset *out, struct err *e)
{
	struct attempt a;

	switch (try_placement(c, event, n, &a)) {
	case PLACED:
		break;
	case TWICE:
		return err_set(e, ERR_FAIL,
			       "event %s is given twice; give it once",
			       event[a.at]->name);
	case TOO_MANY:
		return err_set(
			e, ERR_FAIL,
			"%u events are too many: at most %d can be counted at once; remove some",
			n, EVENTSET_MAX);
	case CROWDED:
		return fail_crowded(c, event, &a, e);
	}
	for (unsigned i = 0; i < a.n; i++)
		out->slot[i] = (struct slot){ .event = event[a.index[i]],
					      .counter = a.counter[i] };
	out->len = a.n;
	sort_by_counter(out->slot, out->len);
	return true;
}

bool
slots_fit(const struct catalog *c, const struct event *const *event, unsigned n)
{
	struct attempt a;

	return try_placement(c, event, n, &a) == PLACED;
}
