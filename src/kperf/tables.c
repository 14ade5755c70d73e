#include "kperf/inside.h"

#include "pmu/pmu.h"

static bool
fill_chip_table(const struct pmu *p, struct kps_table *t)
{
	if (p == NULL)
		return false;
	*t = (struct kps_table){
		.database = p->db,
		.marketing_name = p->marketing,
		.chip = kps_chip_of(p->db),
		.fixed_bits = p->fixed_counters,
		.config_bits = p->config_counters,
		.power_bits = p->power_counters,
		.counter_width = p->counter_bits,
		.events = p->nevents,
	};
	return true;
}

bool
kps_table_at(unsigned i, struct kps_table *t)
{
	return fill_chip_table(pmu_at(i), t);
}

static const struct pmu *
find_table(const char *name)
{
	const struct pmu *p = pmu_by_db(name);

	return p != NULL ? p : pmu_by_cpu(name);
}

bool
kps_table_find(const char *name, struct kps_table *t)
{
	return fill_chip_table(find_table(name), t);
}

bool
kps_table_event(const char *database, unsigned i, struct kps_event *event)
{
	const struct pmu *p = find_table(database);

	if (p == NULL || i >= p->nevents)
		return false;
	const struct pmu_event *v = &p->events[i];
	const struct kperf_name *n = kperf_name_of(v->name);

	*event = (struct kps_event){
		.name = v->name,
		.agnostic = n != NULL ? n->name : NULL,
		.description = v->text,
		.alias = v->alias,
		.fallback = v->fallback,
		.counters = v->counters,
		.number = v->fixed >= 0 ? -1 : v->number,
		.umask = v->umask,
		.fixed = v->fixed >= 0,
		.unit = n != NULL ? n->unit : KPS_UNIT_COUNTS,
	};
	return true;
}
