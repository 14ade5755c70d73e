#include "sim/kpep_db.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The part of an event that both layouts have in common. */
static const struct kpep_event_48 *
common(const struct kpep_event *event)
{
	return (const void *)event;
}

struct sim_kpep_db *
sim_kpep_db_of(struct kpep_db *db)
{
	return (void *)((char *)db - sizeof(struct sim_kpep_db));
}

struct kpep_event *
sim_kpep_db_at(struct kpep_db *db, size_t i)
{
	return (void *)((char *)db->event_arr + i * sim_kpep_db_of(db)->stride);
}

const struct pmu_event *
sim_kpep_db_row(struct kpep_db *db, const struct kpep_event *event)
{
	for (size_t i = 0; i < db->event_count; i++) {
		if (sim_kpep_db_at(db, i) == event)
			return sim_kpep_db_of(db)->source[i];
	}
	return NULL;
}

/* By number, then umask; fixed events have no number and so come first. */
static int
by_number(const void *a, const void *b)
{
	const struct pmu_event *x = *(const struct pmu_event *const *)a;
	const struct pmu_event *y = *(const struct pmu_event *const *)b;

	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->umask != y->umask)
		return x->umask < y->umask ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void
fill_event(void *at, enum sim_kpep_layout layout, const struct pmu_event *row)
{
	struct kpep_event_56 now = { .name = row->name,
				     .description = row->text,
				     .alias = row->alias,
				     .fallback = row->fallback,
				     .mask = row->counters,
				     .number = row->number,
				     .umask = row->umask,
				     .flags = row->fixed >= 0 ? KPEP_EVENT_FIXED
							      : 0 };
	struct kpep_event_48 old = {
		.name = row->name,
		.description = row->text,
		.alias = row->alias,
		.fallback = row->fallback,
		.mask = row->counters,
		.number = (uint8_t)row->number, /* 2021 knew 8 bits alone */
		.umask = row->umask,
		.is_fixed = row->fixed >= 0
	};

	switch (layout) {
	case SIM_KPEP_56:
		memcpy(at, &now, sizeof now);
		break;
	case SIM_KPEP_48:
		memcpy(at, &old, sizeof old);
		break;
	}
}

static void
fill_events(struct kpep_db *db)
{
	struct sim_kpep_db *own = sim_kpep_db_of(db);

	for (unsigned i = 0; i < own->pmu->nevents; i++) {
		const struct pmu_event *row = &own->pmu->events[i];

		if (!own->listed || row->fixed >= 0 ||
		    pmu_allows(own->pmu, row->number))
			own->source[db->event_count++] = row;
	}
	qsort(own->source, db->event_count, sizeof own->source[0], by_number);
	for (size_t i = 0; i < db->event_count; i++) {
		struct kpep_event *at = sim_kpep_db_at(db, i);
		const struct pmu_event *row = own->source[i];

		fill_event(at, own->layout, row);
		if (row->fixed >= 0)
			db->fixed_event_arr[row->fixed] = at;
		if (row->alias != NULL)
			db->alias_count++;
	}
}

static bool
fill_db(struct kpep_db *db)
{
	struct sim_kpep_db *own = sim_kpep_db_of(db);
	const struct pmu *p = own->pmu;

	db->name = p->db;
	db->cpu_id = own->cpu;
	db->marketing_name = p->marketing;
	db->architecture = p->intel ? KPEP_ARCH_X86_64 : KPEP_ARCH_ARM64;
	db->fixed_counter_bits = p->fixed_counters;
	db->config_counter_bits = p->config_counters;
	db->power_counter_bits = p->power_counters;
	db->fixed_counter_count = bits_count(p->fixed_counters);
	db->config_counter_count = bits_count(p->config_counters);
	db->power_counter_count = bits_count(p->power_counters);
	own->source = calloc(p->nevents, sizeof own->source[0]);
	db->event_arr = calloc(p->nevents, own->stride);
	db->fixed_event_arr =
		calloc(db->fixed_counter_count, sizeof db->fixed_event_arr[0]);
	if (own->source == NULL || db->event_arr == NULL ||
	    db->fixed_event_arr == NULL)
		return false;
	fill_events(db);
	return true;
}

struct kpep_db *
sim_kpep_db_new(const struct pmu *p, const char *cpu,
		enum sim_kpep_layout layout, bool listed)
{
	bool old = layout == SIM_KPEP_48;
	struct sim_kpep_db *own = calloc(
		1, sizeof *own + (old ? KPEP_DB_SIZE_OLD : KPEP_DB_SIZE));
	struct kpep_db *db;

	if (own == NULL)
		return NULL;
	own->pmu = p;
	own->layout = layout;
	own->listed = listed;
	own->stride = old ? sizeof(struct kpep_event_48)
			  : sizeof(struct kpep_event_56);
	snprintf(own->cpu, sizeof own->cpu, "%s", cpu);
	db = (void *)(own + 1);
	if (fill_db(db))
		return db;
	sim_kpep_db_free(db);
	return NULL;
}

void
sim_kpep_db_free(struct kpep_db *db)
{
	struct sim_kpep_db *own;

	if (db == NULL)
		return;
	own = sim_kpep_db_of(db);
	free(own->source);
	free(db->event_arr);
	free(db->fixed_event_arr);
	free(own);
}

int
sim_kpep_db_name(struct kpep_db *db, const char **name)
{
	if (db == NULL || name == NULL)
		return KPEP_INVALID_ARGUMENT;
	*name = db->marketing_name;
	return KPEP_OK;
}

int
sim_kpep_db_aliases_count(struct kpep_db *db, size_t *count)
{
	if (db == NULL || count == NULL)
		return KPEP_INVALID_ARGUMENT;
	*count = db->alias_count;
	return KPEP_OK;
}

static int
by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int
sim_kpep_db_aliases(struct kpep_db *db, const char **buf, size_t size)
{
	size_t n = 0;

	if (db == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < db->alias_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	for (size_t i = 0; i < db->event_count; i++) {
		const char *alias = common(sim_kpep_db_at(db, i))->alias;

		if (alias != NULL)
			buf[n++] = alias;
	}
	qsort(buf, n, sizeof buf[0], by_text);
	return KPEP_OK;
}

int
sim_kpep_db_counters_count(struct kpep_db *db, uint8_t classes, size_t *count)
{
	uint32_t mask = 0;

	if (db == NULL || count == NULL || classes == 0 ||
	    (classes & ~(KPC_CLASS_ALL_MASK & ~KPC_CLASS_RAWPMU_MASK)) != 0)
		return KPEP_INVALID_ARGUMENT;
	if ((classes & KPC_CLASS_CONFIGURABLE_MASK) != 0)
		mask = db->config_counter_bits;
	if ((classes & KPC_CLASS_POWER_MASK) != 0)
		mask ^= db->power_counter_bits; /* with both: without power */
	if ((classes & KPC_CLASS_FIXED_MASK) != 0)
		mask |= db->fixed_counter_bits;
	*count = bits_count(mask);
	return KPEP_OK;
}

int
sim_kpep_db_events_count(struct kpep_db *db, size_t *count)
{
	if (db == NULL || count == NULL)
		return KPEP_INVALID_ARGUMENT;
	*count = db->event_count;
	return KPEP_OK;
}

int
sim_kpep_db_events(struct kpep_db *db, struct kpep_event **buf, size_t size)
{
	if (db == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < db->event_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	for (size_t i = 0; i < db->event_count; i++)
		buf[i] = sim_kpep_db_at(db, i);
	return KPEP_OK;
}

int
sim_kpep_db_event(struct kpep_db *db, const char *name,
		  struct kpep_event **event)
{
	const struct pmu_event *row;

	if (db == NULL || name == NULL || event == NULL)
		return KPEP_INVALID_ARGUMENT;
	*event = NULL;
	row = pmu_event_find(sim_kpep_db_of(db)->pmu, name);
	for (size_t i = 0; row != NULL && i < db->event_count; i++) {
		if (sim_kpep_db_of(db)->source[i] == row)
			*event = sim_kpep_db_at(db, i);
	}
	return *event != NULL ? KPEP_OK : KPEP_EVENT_NOT_FOUND;
}

int
sim_kpep_event_name(struct kpep_event *event, const char **text)
{
	if (event == NULL || text == NULL)
		return KPEP_INVALID_ARGUMENT;
	*text = common(event)->name;
	return KPEP_OK;
}

int
sim_kpep_event_alias(struct kpep_event *event, const char **text)
{
	if (event == NULL || text == NULL)
		return KPEP_INVALID_ARGUMENT;
	*text = common(event)->alias;
	return KPEP_OK;
}

int
sim_kpep_event_description(struct kpep_event *event, const char **text)
{
	if (event == NULL || text == NULL)
		return KPEP_INVALID_ARGUMENT;
	*text = common(event)->description;
	return KPEP_OK;
}
