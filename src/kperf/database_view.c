#include "kperf/inside.h"
#include "kperf/names.h"

#include <string.h>

const char *
kps_database_name(const struct kps_database *d)
{
	return d->name;
}

const char *
kps_database_cpu_id(const struct kps_database *d)
{
	return d->cpu_id;
}

const char *
kps_database_marketing_name(const struct kps_database *d)
{
	return d->marketing;
}

int
kps_database_architecture(const struct kps_database *d)
{
	return d->architecture;
}

unsigned
kps_database_counters(const struct kps_database *d, enum kpc_class_id which)
{
	return which <= KPC_CLASS_POWER ? d->counters[which] : 0;
}

uint32_t
kps_database_counter_bits(const struct kps_database *d, enum kpc_class_id which)
{
	return which <= KPC_CLASS_POWER ? d->bits[which] : 0;
}

unsigned
kps_database_event_layout(const struct kps_database *d)
{
	return d->stride;
}

struct kpep_db *
kps_database_raw(const struct kps_database *d)
{
	return d->db;
}

struct kpep_event *
kps_event_raw(const struct kps_database *d, const struct kps_event *event)
{
	return d->live[event - d->event];
}

const struct kps_event *
kps_database_event(const struct kps_database *d, unsigned i)
{
	return i < d->len ? &d->event[i] : NULL;
}

const struct kps_event *
kps_database_fixed_event(const struct kps_database *d, unsigned i)
{
	uint32_t bits = d->bits[KPC_CLASS_FIXED];

	for (; i > 0 && bits != 0; i--)
		bits &= bits - 1;
	bits &= ~(bits - 1); /* the i-th alone */
	for (unsigned j = 0; j < d->len; j++)
		if (d->event[j].fixed && d->event[j].counters == bits)
			return &d->event[j];
	return NULL;
}

static int
find_event(const struct kps_database *d, const char *name, bool by_alias)
{
	for (unsigned i = 0; name != NULL && i < d->len; i++) {
		const char *s = by_alias ? d->event[i].alias : d->event[i].name;

		if (s != NULL && strcmp(s, name) == 0)
			return (int)i;
	}
	return -1;
}

int
kps_database_index(const struct kps_database *d, const char *name)
{
	int i = find_event(d, name, true);

	if (i < 0)
		i = find_event(d, name, false);
	if (i < 0 && d->chip != KPS_CHIP_UNKNOWN)
		i = find_event(d, kps_name_on(name, d->chip), false);
	for (int chip = KPS_CHIP_M5;
	     i < 0 && d->chip == KPS_CHIP_UNKNOWN && chip >= KPS_CHIP_M1;
	     chip--)
		i = find_event(d, kps_name_on(name, (enum kps_chip)chip),
			       false);
	return i;
}

const struct kps_event *
kps_database_find(const struct kps_database *d, const char *name)
{
	int i = kps_database_index(d, name);

	return i < 0 ? NULL : &d->event[i];
}
