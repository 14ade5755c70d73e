#include "model/frame.h"

const char *const scope_level_name[] = { "core", "cluster", "kind", "all" };

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
frame_slots_told(const struct frame *f, unsigned metric, const struct metric *m)
{
	uint32_t slots = metric_slots(m, f->set);

	for (unsigned i = 0; slots != 0 && i < f->nscopes; i++) {
		if (frame_state(f, i, metric) != VALUE_UNSUPPORTED)
			continue;
		for (unsigned k = 0; k < f->set->len; k++)
			if (f->tally[i].slot_known[k])
				slots &= ~(1u << k);
	}
	return slots;
}
