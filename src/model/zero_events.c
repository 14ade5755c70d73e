#include "model/zero_events.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char zero_events_reason[] = "counts nothing ";

static const char *const musts[] = { "INST_ALL",    "CORE_ACTIVE_CYCLE",
				     "INST_BRANCH", "INST_BRANCH_TAKEN",
				     "RETIRE_UOP",  "MAP_UOP" };

/* L2 events that count only on some kinds of the M5's cores. */
static const char *const locals[] = { "PL2_CACHE_ACCESS",
				      "LD_SRC_PL2_CACHE_NONSPEC" };

static const uint32_t slot_bits = (1u << EVENTSET_MAX) - 1;

bool
zero_events_init(struct zero_events *x, unsigned nkinds)
{
	x->nkinds = nkinds;
	x->slot = calloc((size_t)(nkinds + 1) * EVENTSET_MAX, sizeof *x->slot);
	return x->slot != NULL;
}

void
zero_events_free(struct zero_events *x)
{
	free(x->slot);
}

static bool
is_event_in(const struct event *e, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(e->name, names[i]) == 0)
			return !e->narrow;
	return false;
}

void
zero_events_reset(struct zero_events *x, const struct eventset *set)
{
	memset(x->slot, 0, (size_t)x->nkinds * EVENTSET_MAX * sizeof *x->slot);
	x->must = x->local = x->sure = 0;
	for (unsigned i = 0; i < set->len; i++) {
		const struct event *e = set->slot[i].event;

		if (is_event_in(e, locals, sizeof locals / sizeof locals[0]))
			x->local |= 1u << i;
		else if (is_event_in(e, musts, sizeof musts / sizeof musts[0]))
			x->must |= 1u << i;
	}
	x->must |= x->local;
}

/* Returns the work in the modes of the event. nowhere: the event is 0 on all
 * CPUs. */
static uint64_t
work_while_counting(const struct span *d, unsigned slot, enum domain domain,
		    bool nowhere)
{
	uint64_t most = 0;

	if ((domain == DOMAIN_ALL || nowhere) &&
	    (d->have_any & 1u << TERM_SLOT_CYCLES) != 0)
		most = d->count[TERM_SLOT_CYCLES] /
		       (domain == DOMAIN_ALL ? 1 : ZERO_MODE_PART);
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		if (i != slot && (d->have_any & 1u << i) != 0 &&
		    d->count[i] > most)
			most = d->count[i];
	return most;
}

static void
update_kind(struct zero_events *x, const struct topology *t, unsigned kind,
	    enum domain domain, uint32_t counted, const struct span *cpu)
{
	uint64_t count[EVENTSET_MAX] = { 0 }, more[EVENTSET_MAX] = { 0 };
	uint32_t seen = 0;

	for (unsigned c = 0; c < t->ncpus; c++) {
		const struct span *d = &cpu[c];
		uint32_t now = d->have_any & x->must & slot_bits;

		if (t->cpu[c].kind != kind || d->n == 0 ||
		    (d->quality & QUALITY_MUX) != 0)
			continue;
		seen |= now;
		for (; now != 0; now &= now - 1) {
			unsigned i = (unsigned)__builtin_ctz(now);

			count[i] += d->count[i];
			more[i] += d->count[i] > 0
					   ? 0
					   : work_while_counting(
						     d, i, domain,
						     (counted >> i & 1) == 0);
		}
	}
	for (unsigned i = 0; i < EVENTSET_MAX; i++) {
		struct zero_slot *s = &x->slot[kind * EVENTSET_MAX + i];

		if ((seen >> i & 1) == 0)
			continue;
		if (count[i] > 0)
			*s = (struct zero_slot){ .counted = true };
		else if (s->ran < ZERO_CERTAIN)
			s->ran += more[i];
	}
}

static uint32_t
counted_anywhere(const struct topology *t, const struct span *cpu)
{
	uint32_t bits = 0;

	for (unsigned c = 0; c < t->ncpus && bits != slot_bits; c++) {
		const struct span *d = &cpu[c];

		bits |= slot_bits & ~d->have_any;
		for (unsigned i = 0; i < EVENTSET_MAX; i++)
			if (d->count[i] > 0)
				bits |= 1u << i;
	}
	return bits;
}

static uint32_t
slots_beyond(const struct zero_events *x, unsigned kind, uint64_t most)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		if (x->slot[kind * EVENTSET_MAX + i].ran >= most)
			bits |= 1u << i;
	return bits;
}

bool
zero_events_apply(struct zero_events *x, const struct topology *t,
		  enum domain domain, struct span *cpu)
{
	uint32_t before = x->sure;

	if (x->must == 0 || domain == DOMAIN_NONE || domain == DOMAIN_MIXED)
		return false;
	x->sure = 0;
	uint32_t counted = counted_anywhere(t, cpu);

	for (unsigned k = 0; k < t->nkinds; k++) {
		update_kind(x, t, k, domain, counted, cpu);
		x->sure |= slots_beyond(x, k, ZERO_CERTAIN) & ~x->local;
		uint32_t out = slots_beyond(x, k, ZERO_SUSPECT);

		for (unsigned c = 0; out != 0 && c < t->ncpus; c++) {
			if (t->cpu[c].kind != k)
				continue;
			cpu[c].have_any &= ~out;
			if (cpu[c].n > 0)
				cpu[c].have_all &= ~out;
			cpu[c].zero |= out;
			if (cpu[c].n_known > 0) {
				cpu[c].cannot_all |= out;
				cpu[c].cannot_any |= out;
			}
		}
	}
	return x->sure != before;
}

/* If the event counts on another kind of core, the reason names the kind on
 * which it counts nothing. */
static void
write_reason(const struct zero_events *x, const struct topology *t,
	     unsigned slot, char *why, size_t size)
{
	const char *where = NULL;
	bool counted = false;

	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct zero_slot *s = &x->slot[k * EVENTSET_MAX + slot];

		if (s->ran >= ZERO_CERTAIN)
			where = where == NULL ? t->kind[k].letter : "some";
		counted = counted || (s->counted && s->ran < ZERO_CERTAIN);
	}
	if (counted && where != NULL)
		snprintf(why, size, "%son %s cores", zero_events_reason, where);
	else
		snprintf(why, size, "%shere", zero_events_reason);
}

static void
restore_dropped(struct eventset *set)
{
	unsigned n = 0;

	for (unsigned i = 0; i < set->ndropped; i++)
		if (strncmp(set->dropped[i].why, zero_events_reason,
			    strlen(zero_events_reason)) != 0)
			set->dropped[n++] = set->dropped[i];
	set->ndropped = n;
}

void
zero_events_drop(const struct zero_events *x, const struct topology *t,
		 struct eventset *set)
{
	char why[sizeof set->dropped[0].why];

	restore_dropped(set);
	for (unsigned i = 0; i < set->len; i++) {
		if ((x->sure >> i & 1) == 0)
			continue;
		write_reason(x, t, i, why, sizeof why);
		eventset_drop(set, set->slot[i].event->name, why);
	}
}
