#include "kperf/inside.h"

#include "base/bits.h"
#include "base/buf.h"

#include <string.h>

static bool
lookup_event(const struct kps_database *d, const char *name, unsigned *at,
	     struct kps_error *e)
{
	int i = kps_database_index(d, name);

	if (i < 0)
		return kps_fail(
			e, KPS_EVENT_UNAVAILABLE, "kpep_db_event",
			"the database of this chip (%s) has no event %s; list its events and pick another",
			d->name[0] != '\0' ? d->name : d->marketing,
			name != NULL ? name : "without a name");
	*at = (unsigned)i;
	return true;
}

static bool
lookup_events(const struct kps_database *d, const char *const *names,
	      unsigned n, unsigned *at, struct kps_slot *slot,
	      struct kps_error *e)
{
	if (n == 0 || n > KPS_EVENTS_MAX)
		return kps_fail(e, KPS_USAGE, NULL,
				"%u events; a sampler has 1 to %d", n,
				KPS_EVENTS_MAX);
	for (unsigned i = 0; i < n; i++) {
		if (!lookup_event(d, names[i], &at[i], e))
			return false;
		slot[i].event = &d->event[at[i]];
		/* A fixed event has one counter: it cannot be counted twice. */
		for (unsigned j = 0; slot[i].event->fixed && j < i; j++)
			if (at[j] == at[i])
				return kps_fail(
					e, KPS_CONFLICT, NULL,
					"%s is requested twice and has only one counter; omit one",
					names[i]);
		slot[i].mask = slot[i].event->counters &
			       (d->bits[KPC_CLASS_FIXED] |
				d->bits[KPC_CLASS_CONFIGURABLE]);
	}
	return true;
}

static bool
find_places(struct kps_slot *slot, unsigned n, struct kps_error *e)
{
	uint32_t mask[KPS_EVENTS_MAX] = { 0 };
	unsigned counter[KPS_EVENTS_MAX] = { 0 };
	struct place_conflict why;

	for (unsigned i = 0; i < n; i++)
		mask[i] = slot[i].mask;
	if (!place_events(mask, n, counter, &why))
		return kps_fail_conflict(e, slot, &why, 0);
	for (unsigned i = 0; i < n; i++)
		slot[i].counter = counter[i];
	return true;
}

bool
kps_place(const struct kps_database *d, const char *const *names, unsigned n,
	  unsigned *counter, struct kps_error *e)
{
	struct kps_slot slot[KPS_EVENTS_MAX];
	unsigned at[KPS_EVENTS_MAX];

	if (d->stride == 0)
		return kps_fail_status(e, KPS_EVENT_LAYOUT, NULL);
	if (!lookup_events(d, names, n, at, slot, e) ||
	    !find_places(slot, n, e))
		return false;
	for (unsigned i = 0; counter != NULL && i < n; i++)
		counter[i] = slot[i].counter;
	return true;
}

struct plan {
	struct kps_sampler *sampler;
	unsigned at[KPS_EVENTS_MAX]; /* index in the database, per event */
	unsigned order[KPS_EVENTS_MAX];
	struct kperf_plan made;
	struct kperf_refusal why;
};

static bool
make_plan(struct plan *p, const unsigned *order, unsigned n)
{
	const struct kps_database *d = p->sampler->database;
	struct kpep_event *live[KPS_EVENTS_MAX];

	for (unsigned i = 0; i < n; i++)
		live[i] = d->live[p->at[order[i]]];
	return kperf_plan_build(&p->sampler->kperfdata, d->db, live, n,
				p->sampler->user_only, &p->made, &p->why);
}

static bool
fail_plan(const struct plan *p, const struct kps_slot *slot,
	  const unsigned *order, struct kps_error *e)
{
	struct place_conflict why = { .events = 0 };
	unsigned last = order[p->why.event];
	char doing[96];
	struct buf b = buf_over(doing, sizeof doing);

	if (p->why.code == KPEP_CONFLICT) {
		for (unsigned i = 0; i < p->why.event; i++)
			if ((p->why.holders >> i & 1) != 0)
				why.events |= 1u << order[i];
		why.events |= 1u << last;
		return kps_fail_conflict(e, slot, &why, 0);
	}
	buf_str(&b, "placing ");
	buf_str(&b, slot[last].event->name);
	return kps_fail_kpep(e, p->why.call, p->why.code, p->why.why,
			     buf_cstr(&b));
}

static void
fill_slot(const struct plan *p, unsigned i, struct kps_slot *s, bool placed)
{
	const struct kps_database *d = p->sampler->database;
	unsigned nfixed = d->counters[KPC_CLASS_FIXED];
	/* The map's columns start at the first fixed counter if the plan has
	 * the fixed class, else at the first configurable counter. */
	unsigned column =
		(unsigned)p->made.map[i] +
		((p->made.classes & KPC_CLASS_FIXED_MASK) != 0 ? 0 : nfixed);

	for (unsigned j = 0; j < d->len; j++)
		if (d->live[j] == p->made.live[i] && s->event != &d->event[j]) {
			s->event = &d->event[j];
			s->mask = s->event->counters &
				  d->bits[KPC_CLASS_CONFIGURABLE];
		}
	if (column < nfixed) {
		s->word = 0;
		s->counter = column;
		return;
	}
	s->word = p->made.words.word[(column - nfixed) % KPC_MAX_COUNTERS];
	if (placed)
		s->counter = kps_nth_counter(d->bits[KPC_CLASS_CONFIGURABLE],
					     column - nfixed);
	if (s->mask == 0)
		s->mask = 1u << s->counter;
}

/* kperfdata gives each event its lowest free counter, so events with few
 * possible counters go first. An event that finds no free counter moves to the
 * front, and the next plan is tried. */
static bool
plan_all_at_once(struct plan *p, const struct kps_slot *slot, unsigned n)
{
	unsigned len = 0, first;

	for (unsigned w = 0; w <= 32; w++)
		for (unsigned i = 0; i < n; i++)
			if (bits_count(slot[i].mask) == w)
				p->order[len++] = i;
	for (unsigned tries = 0;; tries++) {
		if (make_plan(p, p->order, n))
			return true;
		if (p->why.code != KPEP_CONFLICT || p->why.event == 0 ||
		    tries == n * n)
			return false;
		first = p->order[p->why.event];
		memmove(p->order + 1, p->order,
			p->why.event * sizeof p->order[0]);
		p->order[0] = first;
	}
}

/* Plans each event alone to get its word: find_places has chosen the counters.
 */
static bool
plan_one_by_one(struct plan *p, struct kps_slot *slot, unsigned n,
		struct kps_error *e)
{
	for (unsigned i = 0; i < n; i++) {
		if (!make_plan(p, &i, 1))
			return fail_plan(p, slot, &i, e);
		fill_slot(p, 0, &slot[i], false);
	}
	return true;
}

static bool
plan(struct kps_group *g, struct kps_sampler *s, const unsigned *at,
     struct kps_error *e)
{
	struct plan p = { .sampler = s };
	bool known = s->database->stride != 0;

	memcpy(p.at, at, sizeof p.at);
	if (plan_all_at_once(&p, g->slot, g->n)) {
		for (unsigned i = 0; i < g->n; i++)
			fill_slot(&p, i, &g->slot[p.order[i]], true);
		return true;
	}
	if (known && p.why.code == KPEP_CONFLICT)
		return plan_one_by_one(&p, g->slot, g->n, e);
	return fail_plan(&p, g->slot, p.order, e);
}

bool
kps_group_init(struct kps_group *g, struct kps_sampler *s,
	       const char *const *names, unsigned n, struct kps_error *e)
{
	unsigned at[KPS_EVENTS_MAX] = { 0 };
	const struct kps_database *d = s->database;

	atomic_init(&g->running, false);
	if (!lookup_events(d, names, n, at, g->slot, e))
		return false;
	g->n = n;
	if (d->stride != 0 && d->architecture > KPEP_ARCH_X86_64 &&
	    !find_places(g->slot, n, e))
		return false;
	kps_lock();
	bool ok = plan(g, s, at, e);
	if (ok) {
		g->sampler = s;
		g->sibling = s->groups;
		s->groups = g;
	}
	kps_unlock();
	return ok;
}

void
kps_group_done(struct kps_group *g)
{
	struct kps_group **at;

	(void)kps_group_stop(g, NULL);
	kps_lock();
	if (g->sampler != NULL) {
		for (at = &g->sampler->groups; *at != g;)
			at = &(*at)->sibling;
		*at = g->sibling;
	}
	kps_unlock();
}

static bool
start_locked(struct kps_group *g, struct kps_error *e)
{
	if (atomic_load(&g->running))
		return !g->bound || pthread_equal(g->thread, pthread_self()) ||
		       kps_fail_status(e, KPS_WRONG_THREAD, NULL);
	if (g->sampler == NULL || g->sampler->machine == NULL)
		return kps_fail_status(e, KPS_RELEASED, NULL);
	if (!kps_machine_start(g->sampler->machine, g, e))
		return false;
	g->thread = pthread_self();
	atomic_store(&g->running, true);
	return true;
}

bool
kps_group_start(struct kps_group *g, struct kps_error *e)
{
	kps_lock();
	bool ok = start_locked(g, e);
	kps_unlock();
	return ok;
}

bool
kps_group_stop(struct kps_group *g, struct kps_error *e)
{
	bool ok = true;

	kps_lock();
	if (atomic_load(&g->running)) {
		atomic_store(&g->running, false);
		ok = g->stopping == NULL || g->stopping(g, e);
		ok = kps_machine_stop(g->sampler->machine, g, ok ? e : NULL) &&
		     ok;
	}
	kps_unlock();
	return ok;
}

bool
kps_group_ready(struct kps_group *g, struct kps_error *e)
{
	if (!atomic_load(&g->running))
		return kps_fail_status(e, KPS_NOT_RUNNING, NULL);
	if (g->bound && !pthread_equal(g->thread, pthread_self()))
		return kps_fail_status(e, KPS_WRONG_THREAD, NULL);
	return true;
}
