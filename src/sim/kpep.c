#include "sim/kpep.h"

#include "base/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

/* The shared library exports these functions (export.c). */
#define DECLARE(m) SIM_EXPORT __typeof__(*((struct kperfdata_api *)0)->m) m;
KPERFDATA_SYMBOLS(DECLARE)

enum { CPU_SIZE = 64 };

/* Private part of a database. It precedes kpep_db, so that tests detect reads
 * past an older, shorter kpep_db. */
struct own_db {
	const struct pmu *pmu;
	enum sim_kpep_layout layout;
	size_t stride;
	bool listed;
	const struct pmu_event **source;
	char cpu[CPU_SIZE];
};

static const struct kpep_event_48 *
common_part(const struct kpep_event *event)
{
	return (const void *)event;
}

static struct own_db *
own_part(struct kpep_db *db)
{
	return (void *)((char *)db - sizeof(struct own_db));
}

static struct kpep_event *
db_at(struct kpep_db *db, size_t i)
{
	return (void *)((char *)db->event_arr + i * own_part(db)->stride);
}

static const struct pmu_event *
db_row(struct kpep_db *db, const struct kpep_event *event)
{
	for (size_t i = 0; i < db->event_count; i++) {
		if (db_at(db, i) == event)
			return own_part(db)->source[i];
	}
	return NULL;
}

/* The order is number, umask, name. Fixed events have no number, so they come
 * first. */
static int
compare_events(const void *a, const void *b)
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
#define COMMON                                                            \
	.name = row->name, .description = row->text, .alias = row->alias, \
	.fallback = row->fallback, .mask = row->counters, .umask = row->umask
	struct kpep_event_56 now = { COMMON, .number = row->number,
				     .flags = row->fixed >= 0 ? KPEP_EVENT_FIXED
							      : 0 };
	struct kpep_event_48 old = {
		COMMON,
		.number = (uint8_t)row->number, /* one byte in macOS of 2021 */
		.is_fixed = row->fixed >= 0
	};

	if (layout == SIM_KPEP_56)
		memcpy(at, &now, sizeof now);
	else
		memcpy(at, &old, sizeof old);
}

static void
fill_event_array(struct kpep_db *db)
{
	struct own_db *own = own_part(db);

	for (unsigned i = 0; i < own->pmu->nevents; i++) {
		const struct pmu_event *row = &own->pmu->events[i];

		if (!own->listed || row->fixed >= 0 ||
		    pmu_allows(own->pmu, row->number))
			own->source[db->event_count++] = row;
	}
	qsort(own->source, db->event_count, sizeof own->source[0],
	      compare_events);
	for (size_t i = 0; i < db->event_count; i++) {
		struct kpep_event *at = db_at(db, i);
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
	struct own_db *own = own_part(db);
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
	fill_event_array(db);
	return true;
}

void
kpep_db_free(struct kpep_db *db)
{
	if (db == NULL)
		return;
	struct own_db *own = own_part(db);
	free(own->source);
	free(db->event_arr);
	free(db->fixed_event_arr);
	free(own);
}

static struct kpep_db *
db_new(const struct pmu *p, const char *cpu, enum sim_kpep_layout layout,
       bool listed)
{
	bool old = layout == SIM_KPEP_48;
	struct own_db *own = calloc(
		1, sizeof *own + (old ? KPEP_DB_SIZE_OLD : KPEP_DB_SIZE));

	if (own == NULL)
		return NULL;
	own->pmu = p;
	own->layout = layout;
	own->listed = listed;
	own->stride = old ? sizeof(struct kpep_event_48)
			  : sizeof(struct kpep_event_56);
	snprintf(own->cpu, sizeof own->cpu, "%s", cpu);
	struct kpep_db *db = (void *)(own + 1);
	if (fill_db(db))
		return db;
	kpep_db_free(db);
	return NULL;
}

static uint32_t
usable_counters(const struct kpep_config *c)
{
	return c->db->config_counter_bits &
	       ~(c->forced ? 0 : c->db->power_counter_bits);
}

static size_t
word_count(const struct kpep_config *c)
{
	return (c->classes & KPC_CLASS_CONFIGURABLE_MASK) != 0
		       ? bits_count(usable_counters(c))
		       : 0;
}

/* clang-format off */
#define GET(call, of, type, value) \
int \
call(struct of *it, type *out) \
{ \
	if (it == NULL || out == NULL) \
		return KPEP_INVALID_ARGUMENT; \
	*out = value; \
	return KPEP_OK; \
}

GET(kpep_db_name, kpep_db, const char *, it->marketing_name)
GET(kpep_db_aliases_count, kpep_db, size_t, it->alias_count)
GET(kpep_db_events_count, kpep_db, size_t, it->event_count)
GET(kpep_event_name, kpep_event, const char *, common_part(it)->name)
GET(kpep_event_alias, kpep_event, const char *, common_part(it)->alias)
GET(kpep_event_description, kpep_event, const char *, common_part(it)->description)
GET(kpep_config_events_count, kpep_config, size_t, it->event_count)
GET(kpep_config_kpc_classes, kpep_config, uint32_t, it->classes)
GET(kpep_config_kpc_count, kpep_config, size_t, word_count(it))
/* clang-format on */

static int
compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int
kpep_db_aliases(struct kpep_db *db, const char **buf, size_t size)
{
	size_t n = 0;

	if (db == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < db->alias_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	for (size_t i = 0; i < db->event_count; i++) {
		const char *alias = common_part(db_at(db, i))->alias;

		if (alias != NULL)
			buf[n++] = alias;
	}
	qsort(buf, n, sizeof buf[0], compare_texts);
	return KPEP_OK;
}

int
kpep_db_counters_count(struct kpep_db *db, uint8_t classes, size_t *count)
{
	uint32_t mask = 0;

	if (db == NULL || count == NULL || classes == 0 ||
	    (classes & ~(KPC_CLASS_ALL_MASK & ~KPC_CLASS_RAWPMU_MASK)) != 0)
		return KPEP_INVALID_ARGUMENT;
	if ((classes & KPC_CLASS_CONFIGURABLE_MASK) != 0)
		mask = db->config_counter_bits;
	if ((classes & KPC_CLASS_POWER_MASK) != 0)
		mask ^= db->power_counter_bits;
	if ((classes & KPC_CLASS_FIXED_MASK) != 0)
		mask |= db->fixed_counter_bits;
	*count = bits_count(mask);
	return KPEP_OK;
}

int
kpep_db_events(struct kpep_db *db, struct kpep_event **buf, size_t size)
{
	if (db == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < db->event_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	for (size_t i = 0; i < db->event_count; i++)
		buf[i] = db_at(db, i);
	return KPEP_OK;
}

int
kpep_db_event(struct kpep_db *db, const char *name, struct kpep_event **event)
{
	if (db == NULL || name == NULL || event == NULL)
		return KPEP_INVALID_ARGUMENT;
	*event = NULL;
	const struct pmu_event *row = pmu_event_find(own_part(db)->pmu, name);
	for (size_t i = 0; row != NULL && i < db->event_count; i++) {
		if (own_part(db)->source[i] == row)
			*event = db_at(db, i);
	}
	return *event != NULL ? KPEP_OK : KPEP_EVENT_NOT_FOUND;
}

#define INTEL_USER 0x10000ull
#define INTEL_KERNEL 0x20000ull
#define INTEL_ENABLE 0x400000ull

#define FREE SIZE_MAX

void
kpep_config_free(struct kpep_config *config)
{
	if (config == NULL)
		return;
	free(config->events);
	free(config->event_map);
	free(config->event_indices);
	free(config->flags);
	free(config->kpc_periods);
	free(config);
}

int
kpep_config_create(struct kpep_db *db, struct kpep_config **config)
{
	struct kpep_config *c;

	if (db == NULL || config == NULL)
		return KPEP_INVALID_ARGUMENT;
	*config = NULL;
	c = calloc(1, sizeof *c);
	if (c == NULL)
		return KPEP_OUT_OF_MEMORY;
	c->db = db;
	c->counter_count = KPC_MAX_COUNTERS;
	c->events = calloc(c->counter_count, sizeof c->events[0]);
	c->event_map = calloc(c->counter_count, sizeof c->event_map[0]);
	c->event_indices =
		malloc(c->counter_count * sizeof c->event_indices[0]);
	c->flags = calloc(c->counter_count, sizeof c->flags[0]);
	c->kpc_periods = calloc(c->counter_count, sizeof c->kpc_periods[0]);
	if (c->events == NULL || c->event_map == NULL ||
	    c->event_indices == NULL || c->flags == NULL ||
	    c->kpc_periods == NULL) {
		kpep_config_free(c);
		return KPEP_OUT_OF_MEMORY;
	}
	for (size_t i = 0; i < c->counter_count; i++)
		c->event_indices[i] = FREE;
	*config = c;
	return KPEP_OK;
}

int
kpep_config_force_counters(struct kpep_config *config)
{
	if (config == NULL || config->forced)
		return KPEP_INVALID_ARGUMENT;
	config->forced = 1;
	return KPEP_OK;
}

static int
place_event(struct kpep_config *c, struct kpep_event *event, uint32_t flag,
	    unsigned counter)
{
	c->events[c->event_count] = event;
	c->event_map[c->event_count] = counter;
	c->flags[c->event_count] = flag;
	c->event_indices[counter] = c->event_count++;
	c->occupied |= 1u << counter;
	c->classes |= (c->db->fixed_counter_bits >> counter & 1) != 0
			      ? KPC_CLASS_FIXED_MASK
			      : KPC_CLASS_CONFIGURABLE_MASK;
	return KPEP_OK;
}

static int
find_conflict(const struct kpep_config *c, uint32_t mask, uint32_t *err)
{
	uint32_t in_the_way = 0;

	for (; mask != 0; mask &= mask - 1) {
		size_t i = c->event_indices[bits_lowest(mask)];

		if (i != FREE)
			in_the_way |= 1u << i;
	}
	if (err != NULL)
		*err = in_the_way;
	return KPEP_CONFLICT;
}

/* On Intel a fixed event is replaced by its fallback. */
static int
take_fallback(struct kpep_db *db, struct kpep_event **event)
{
	const struct pmu_event *row = db_row(db, *event);
	struct kpep_event *other;

	if (row->fallback == NULL ||
	    kpep_db_event(db, row->fallback, &other) != KPEP_OK)
		return KPEP_EVENT_UNAVAILABLE;
	*event = other;
	return KPEP_OK;
}

static int
config_add_fixed(struct kpep_config *c, struct kpep_event *event, uint32_t flag,
		 uint32_t mask, uint32_t *err)
{
	if (!c->forced)
		return KPEP_FORCE_NEEDED;
	if ((mask & c->occupied) != 0)
		return find_conflict(c, mask, err);
	return place_event(c, event, flag, bits_lowest(mask));
}

static int
config_add_configurable(struct kpep_config *c, struct kpep_event *event,
			uint32_t flag, uint32_t mask, uint32_t *err)
{
	uint32_t may = mask & usable_counters(c);

	if (may == 0)
		return KPEP_FORCE_NEEDED;
	if ((may & ~c->occupied) == 0)
		return find_conflict(c, may, err);
	return place_event(c, event, flag, bits_lowest(may & ~c->occupied));
}

int
kpep_config_add_event(struct kpep_config *config, struct kpep_event **event,
		      uint32_t flag, uint32_t *err)
{
	if (config == NULL || event == NULL || *event == NULL)
		return KPEP_INVALID_ARGUMENT;
	const struct pmu_event *row = db_row(config->db, *event);
	if (row == NULL)
		return KPEP_EVENT_NOT_FOUND;
	if (row->fixed >= 0 && config->db->architecture > KPEP_ARCH_X86_64)
		return config_add_fixed(config, *event, flag, row->counters,
					err);
	if (row->fixed >= 0) {
		int error = take_fallback(config->db, event);

		if (error != KPEP_OK)
			return error;
		row = db_row(config->db, *event);
	}
	return config_add_configurable(config, *event, flag, row->counters,
				       err);
}

static void
config_rebuild(struct kpep_config *c, size_t without)
{
	size_t n = c->event_count;

	c->event_count = 0;
	c->occupied = 0;
	c->classes = 0;
	for (size_t i = 0; i < c->counter_count; i++)
		c->event_indices[i] = FREE;
	for (size_t i = 0; i < n; i++) {
		if (i != without)
			place_event(c, c->events[i], c->flags[i],
				    (unsigned)c->event_map[i]);
	}
}

int
kpep_config_remove_event(struct kpep_config *config, size_t index)
{
	if (config == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (index >= config->event_count)
		return KPEP_EVENT_NOT_FOUND;
	config_rebuild(config, index);
	return KPEP_OK;
}

int
kpep_config_events(struct kpep_config *config, struct kpep_event **buf,
		   size_t size)
{
	if (config == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < config->event_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	for (size_t i = 0; i < config->event_count; i++)
		buf[i] = config->events[i];
	return KPEP_OK;
}

static uint64_t
config_word(const struct kpep_config *c, size_t i)
{
	const struct pmu_event *row = db_row(c->db, c->events[i]);
	bool user_only = c->flags[i] != 0;

	if (c->db->architecture > KPEP_ARCH_X86_64)
		return row->number | (user_only ? KPC_CONFIG_EL0_64 : 0);
	return row->number | (uint64_t)row->umask << 8 | INTEL_ENABLE |
	       INTEL_USER | (user_only ? 0 : INTEL_KERNEL);
}

int
kpep_config_kpc(struct kpep_config *config, uint64_t *buf, size_t size)
{
	size_t n = 0;

	if (config == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < word_count(config) * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	if (word_count(config) == 0)
		return KPEP_OK;
	for (uint32_t m = usable_counters(config); m != 0; m &= m - 1) {
		size_t i = config->event_indices[bits_lowest(m)];

		buf[n++] = i == FREE ? 0 : config_word(config, i);
	}
	return KPEP_OK;
}

/* buf[i]: index of event i in a row of kpc_get_*_counters(classes). Rows have
 * power counters only if forced. */
int
kpep_config_kpc_map(struct kpep_config *config, size_t *buf, size_t size)
{
	if (config == NULL || buf == NULL)
		return KPEP_INVALID_ARGUMENT;
	if (size < config->event_count * sizeof buf[0])
		return KPEP_BUFFER_TOO_SMALL;
	uint32_t row = usable_counters(config);
	if ((config->classes & KPC_CLASS_FIXED_MASK) != 0)
		row |= config->db->fixed_counter_bits;
	for (size_t i = 0; i < config->event_count; i++)
		buf[i] = bits_below(row, (unsigned)config->event_map[i]);
	return KPEP_OK;
}

/* The machine of kpep_db_create(NULL). It is global, as the framework has no
 * context. */
static struct {
	char cpu[CPU_SIZE];
	enum sim_kpep_layout layout;
	bool known, listed;
	const struct pmu *events;
	const char *name;
} machine = { .cpu = "cpu_100000c_2_1b588bb3", .known = true };

void
sim_kpep_set_machine(const char *cpu, enum sim_kpep_layout layout, bool known)
{
	snprintf(machine.cpu, sizeof machine.cpu, "%s", cpu);
	machine.layout = layout;
	machine.known = known;
	machine.listed = false;
	machine.events = NULL;
}

void
sim_kpep_set_listed(void)
{
	machine.listed = true;
}

void
sim_kpep_set_new(const char *events, const char *name)
{
	machine.events = pmu_by_db(events);
	machine.name = name;
}

static bool
is_new(const char *name)
{
	return machine.events != NULL && (strcmp(name, machine.cpu) == 0 ||
					  strcmp(name, machine.name) == 0);
}

int
kpep_db_create(const char *name, struct kpep_db **db)
{
	const char *cpu;

	if (db == NULL)
		return KPEP_INVALID_ARGUMENT;
	*db = NULL;
	if (name == NULL)
		name = machine.cpu;
	if (!machine.known && strcmp(name, machine.cpu) == 0)
		return KPEP_DB_NOT_FOUND;
	cpu = machine.cpu;
	const struct pmu *p = is_new(name) ? machine.events : pmu_by_db(name);
	/* name may be a CPU string, which on a Mac is a symbolic link to a
	 * database. */
	if (!is_new(name))
		cpu = p != NULL ? p->cpu[0] : name;
	if (p == NULL)
		p = pmu_by_cpu(name);
	if (p == NULL)
		return KPEP_DB_NOT_FOUND;
	*db = db_new(p, cpu, machine.layout,
		     machine.listed && p->allowed != NULL);
	if (*db != NULL && is_new(name))
		(*db)->name = machine.name;
	return *db != NULL ? KPEP_OK : KPEP_OUT_OF_MEMORY;
}

#define IS(m) .m = m,

const struct kperfdata_api *
sim_kpep_api(void)
{
	static const struct kperfdata_api api = { KPERFDATA_SYMBOLS(IS) };

	return &api;
}
