#include "model/frame.h"

#include <limits.h>
#include <math.h>
#include <string.h>

struct scope
scope_at(const struct topology *t, unsigned row)
{
	if (row < t->ncpus)
		return (struct scope){ SCOPE_CORE, row, 1 };
	row -= t->ncpus;
	if (row < t->nclusters)
		return (struct scope){ SCOPE_CLUSTER, row,
				       t->cluster[row].ncpus };
	row -= t->nclusters;
	if (row < t->nkinds)
		return (struct scope){ SCOPE_KIND, row, t->kind[row].ncpus };
	return (struct scope){ SCOPE_ALL, 0, t->ncpus };
}

void
scope_rows(const struct topology *t, unsigned cpu, unsigned row[SCOPE_ALL + 1])
{
	row[SCOPE_CORE] = cpu;
	row[SCOPE_CLUSTER] = t->ncpus + t->cpu[cpu].cluster;
	row[SCOPE_KIND] = t->ncpus + t->nclusters + t->cpu[cpu].kind;
	row[SCOPE_ALL] = t->ncpus + t->nclusters + t->nkinds;
}

int
frame_kind(const struct frame *f, unsigned scope)
{
	const struct scope *s = &f->scope[scope];
	const struct topology *t = f->topology;

	switch (s->level) {
	case SCOPE_CORE:
		return (int)t->cpu[s->index].kind;
	case SCOPE_CLUSTER:
		return (int)t->cluster[s->index].kind;
	case SCOPE_KIND:
		return (int)s->index;
	case SCOPE_ALL:
		break;
	}
	return t->nkinds == 1 ? 0 : -1;
}

uint32_t
frame_slots_shown(const struct frame *f, unsigned metric,
		  const struct metric *m)
{
	uint32_t slots = metric_slots(m, f->set);

	for (unsigned i = 0; slots != 0 && i < f->nscopes; i++) {
		if (frame_state(f, i, metric) != VALUE_UNSUPPORTED)
			continue;
		for (unsigned k = 0; k < f->set->len; k++)
			if (span_has_slot(&f->span[i], k))
				slots &= ~(1u << k);
	}
	return slots;
}

/* The cycles of threads overlap, so a core's cycles come from
 * METRIC_CORE_CYCLES or METRIC_CORE_CYCLES_ANY. */
static void
sum_threads(const struct frame *f, const struct span *span,
	    struct frame_core *core)
{
	const struct topology *t = f->topology;
	int slot = eventset_find(f->set, METRIC_CORE_CYCLES);
	bool any = slot < 0;

	if (any)
		slot = eventset_find(f->set, METRIC_CORE_CYCLES_ANY);
	const uint32_t need = 1u << TERM_SLOT_INSTRUCTIONS |
			      (slot < 0 ? 0 : 1u << (unsigned)slot);

	for (unsigned i = 0; i < t->ncores; i++)
		core[i] = (struct frame_core){ .first = UINT_MAX,
					       .known = slot >= 0 };
	for (unsigned i = 0; i < t->ncpus; i++) {
		struct frame_core *c = &core[t->cpu[i].core];
		const struct span *s = &span[i];

		if (c->first == UINT_MAX)
			c->first = i;
		c->known = c->known &&
			   (s->n_off > 0 || (s->have_any & need) == need);
		if (!c->known || s->n_off > 0)
			continue;
		double cycles = (double)s->count[slot];

		c->instructions += (double)s->pair_instructions;
		c->cycles = any ? fmax(c->cycles, cycles) : c->cycles + cycles;
	}
}

/* The row of each thread gets the value of its core. Groups count each core
 * once, with its first thread. */
static void
sum_cores(const struct topology *t, const struct frame_core *core,
	  struct span *span)
{
	for (unsigned i = 0; i < t->ncpus; i++) {
		const struct frame_core *c = &core[t->cpu[i].core];
		unsigned row[SCOPE_ALL + 1];

		scope_rows(t, i, row);
		for (unsigned k = 0; c->known && k <= SCOPE_ALL; k++) {
			if (k > SCOPE_CORE && c->first != i)
				break;
			span[row[k]].core_instructions += c->instructions;
			span[row[k]].core_cycles += c->cycles;
		}
	}
}

void
frame_sum_groups(const struct frame *f, struct span *span,
		 struct frame_core *core)
{
	const struct topology *t = f->topology;
	struct span *cluster = span + t->ncpus;
	struct span *kind = cluster + t->nclusters, *all = kind + t->nkinds;

	for (unsigned i = t->ncpus; i < f->nscopes; i++)
		span_clear(&span[i]);
	for (unsigned i = 0; i < t->ncpus; i++) {
		span_add(&cluster[t->cpu[i].cluster], &span[i]);
		span_add(&kind[t->cpu[i].kind], &span[i]);
	}
	for (unsigned i = 0; i < t->nkinds; i++)
		span_add(all, &kind[i]);
	for (unsigned i = 0; i < f->nscopes; i++) {
		span[i].nslots = (uint16_t)f->set->len;
		span_close(&span[i], f->quality, f->interval_s * 1e9);
	}
	if (core == NULL)
		return;
	sum_threads(f, span, core);
	sum_cores(t, core, span);
}
