#include "model/dead.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char dead_head[] = "counts nothing ";

static const char *const musts[] = { "INST_ALL",    "CORE_ACTIVE_CYCLE",
				     "INST_BRANCH", "INST_BRANCH_TAKEN",
				     "RETIRE_UOP",  "MAP_UOP" };

/* Of an L2 that only some kinds may have to themselves (the M5's). */
static const char *const locals[] = { "PL2_CACHE_ACCESS",
				      "LD_SRC_PL2_CACHE_NONSPEC" };

static const uint32_t slot_bits = (1u << EVENTSET_MAX) - 1;

bool
dead_init(struct dead *x, unsigned nkinds)
{
	x->nkinds = nkinds;
	x->slot = calloc((size_t)(nkinds + 1) * EVENTSET_MAX, sizeof *x->slot);
	return x->slot != NULL;
}

void
dead_done(struct dead *x)
{
	free(x->slot);
}

static bool
is_among(const struct event *e, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(e->name, names[i]) == 0)
			return !e->narrow;
	return false;
}

void
dead_begin(struct dead *x, const struct eventset *set)
{
	memset(x->slot, 0, (size_t)x->nkinds * EVENTSET_MAX * sizeof *x->slot);
	x->must = x->local = x->sure = 0;
	for (unsigned i = 0; i < set->len; i++) {
		const struct event *e = set->slot[i].event;

		if (is_among(e, locals, sizeof locals / sizeof locals[0]))
			x->local |= 1u << i;
		else if (is_among(e, musts, sizeof musts / sizeof musts[0]))
			x->must |= 1u << i;
	}
	x->must |= x->local;
}

/*
 * What shows that the CPU ran while the slot counted; nowhere: none of the
 * machine's CPUs counted it.
 */
static uint64_t
ran(const struct span *d, unsigned slot, enum domain domain, bool nowhere)
{
	uint64_t most = 0;

	if ((domain == DOMAIN_ALL || nowhere) &&
	    (d->have_any & 1u << TERM_SLOT_CYCLES) != 0)
		most = d->count[TERM_SLOT_CYCLES] /
		       (domain == DOMAIN_ALL ? 1 : DEAD_PART);
	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		if (i != slot && (d->have_any & 1u << i) != 0 &&
		    d->count[i] > most)
			most = d->count[i];
	return most;
}

/* All CPUs of a kind, and what is then known of it. */
static void
take_kind(struct dead *x, const struct topology *t, unsigned kind,
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
					   : ran(d, i, domain,
						 (counted >> i & 1) == 0);
		}
	}
	for (unsigned i = 0; i < EVENTSET_MAX; i++) {
		struct dead_slot *s = &x->slot[kind * EVENTSET_MAX + i];

		if ((seen >> i & 1) == 0)
			continue;
		if (count[i] > 0)
			*s = (struct dead_slot){ .counted = true };
		else if (s->ran < DEAD_SURE) /* it may count for years */
			s->ran += more[i];
	}
}

/* 1 << slot of those that counted on some CPU, or may have: it did not say. */
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

/* 1 << slot of those with at least so much work while nothing was counted. */
static uint32_t
beyond(const struct dead *x, unsigned kind, uint64_t most)
{
	uint32_t bits = 0;

	for (unsigned i = 0; i < EVENTSET_MAX; i++)
		if (x->slot[kind * EVENTSET_MAX + i].ran >= most)
			bits |= 1u << i;
	return bits;
}

bool
dead_take(struct dead *x, const struct topology *t, enum domain domain,
	  struct span *cpu)
{
	uint32_t before = x->sure;

	if (x->must == 0 || domain == DOMAIN_NONE || domain == DOMAIN_MIXED)
		return false;
	x->sure = 0;
	uint32_t counted = counted_anywhere(t, cpu);

	for (unsigned k = 0; k < t->nkinds; k++) {
		take_kind(x, t, k, domain, counted, cpu);
		x->sure |= beyond(x, k, DEAD_SURE) & ~x->local;
		uint32_t out = beyond(x, k, DEAD_DOUBT);

		for (unsigned c = 0; out != 0 && c < t->ncpus; c++) {
			if (t->cpu[c].kind != k)
				continue;
			cpu[c].have_any &= ~out;
			if (cpu[c].n > 0)
				cpu[c].have_all &= ~out;
			cpu[c].dead |= out;
			if (cpu[c].n_told > 0) {
				cpu[c].cannot_all |= out;
				cpu[c].cannot_any |= out;
			}
		}
	}
	return x->sure != before;
}

/* Where: on the one kind, if another counts it. */
static void
put_why(const struct dead *x, const struct topology *t, unsigned slot,
	char *why, size_t size)
{
	const char *where = NULL;
	bool counted = false;

	for (unsigned k = 0; k < t->nkinds; k++) {
		const struct dead_slot *s = &x->slot[k * EVENTSET_MAX + slot];

		if (s->ran >= DEAD_SURE)
			where = where == NULL ? t->kind[k].letter : "some";
		counted = counted || (s->counted && s->ran < DEAD_SURE);
	}
	if (counted && where != NULL)
		snprintf(why, size, "%son %s cores", dead_head, where);
	else
		snprintf(why, size, "%shere", dead_head);
}

static void
forget(struct eventset *set)
{
	unsigned n = 0;

	for (unsigned i = 0; i < set->ndropped; i++)
		if (strncmp(set->dropped[i].why, dead_head,
			    strlen(dead_head)) != 0)
			set->dropped[n++] = set->dropped[i];
	set->ndropped = n;
}

void
dead_note(const struct dead *x, const struct topology *t, struct eventset *set)
{
	char why[sizeof set->dropped[0].why];

	forget(set);
	for (unsigned i = 0; i < set->len; i++) {
		if ((x->sure >> i & 1) == 0)
			continue;
		put_why(x, t, i, why, sizeof why);
		eventset_drop(set, set->slot[i].event->name, why);
	}
}
